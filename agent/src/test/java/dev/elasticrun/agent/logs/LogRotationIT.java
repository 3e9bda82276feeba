/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logs that a process goes on writing while they are rotated. */
@Timeout(60)
final class LogRotationIT {
    private static final int LINES = 60_000;

    @TempDir
    private Path directory;

    @Test
    void rotate_whileAProcessWrites_keepsTheNewestPartsAndShowsEveryLine() throws Exception {
        Path log = directory.resolve("stdout.log");
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        Process writer;
        try (ConsoleMultiplexer multiplexer = ConsoleMultiplexer.start(console)) {
            multiplexer.add(
                    log,
                    List.of(new LogSink(() -> "", () -> true, List.of(), console)),
                    new LogRotation(64 << 10, 100));
            // Batches with a pause between them: the file has to grow while it is looked at.
            writer = new ProcessBuilder(
                            "sh",
                            "-c",
                            "for i in 1 2 3 4 5 6; do seq $((i * 10000 - 9999)) $((i * 10000)); sleep 0.1; done")
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            assertThat(writer.waitFor(30, SECONDS)).isTrue();
            multiplexer.finish(log).get(20, SECONDS);
        }

        assertThat(lines(console.toString(StandardCharsets.UTF_8))).isEqualTo(LINES);
        assertThat(directory.resolve("stdout.log.1")).exists();
        StringBuilder parts = new StringBuilder();
        for (int number = 100; number > 0; number--) {
            parts.append(read(directory.resolve("stdout.log." + number)));
        }
        assertThat(parts.append(read(log)).toString()).isEqualTo(console.toString(StandardCharsets.UTF_8));
        assertThat(directory.resolve("stdout.log.rotating")).doesNotExist();
    }

    @Test
    void rotate_whileSomebodyElseReads_thatReaderHasEveryLineOnce() throws Exception {
        Path log = directory.resolve("stdout.log");
        StringBuilder read = new StringBuilder();
        try (ConsoleMultiplexer multiplexer = ConsoleMultiplexer.start(new ByteArrayOutputStream())) {
            multiplexer.add(log, List.of(), new LogRotation(64 << 10, 100));
            RotatedLog reader = new RotatedLog(log);
            ByteBuffer buffer = ByteBuffer.allocate(10_000);
            Process writer = new ProcessBuilder(
                            "sh", "-c", "for i in 1 2 3 4 5 6; do seq $((i * 10000 - 9999)) $((i * 10000)); done")
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            await().atMost(30, SECONDS).pollInterval(Duration.ofMillis(1)).until(() -> {
                reader.read(buffer);
                reader.advance(buffer.position());
                read.append(new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8));
                return read.toString().endsWith("\n" + LINES + "\n");
            });
            assertThat(writer.waitFor(30, SECONDS)).isTrue();
            multiplexer.finish(log).get(20, SECONDS);
        }

        assertThat(read.toString().lines())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, LINES)
                        .mapToObj(String::valueOf)
                        .toList());
    }

    @Test
    void rotate_moreOftenThanPartsAreKept_forgetsTheOldest() throws Exception {
        Path log = directory.resolve("stderr.log");
        ConsoleMultiplexer multiplexer = ConsoleMultiplexer.start(new ByteArrayOutputStream());
        try (multiplexer) {
            multiplexer.add(log, List.of(), new LogRotation(64 << 10, 2));
            for (int i = 0; i < 4; i++) {
                append(log, Integer.toString(i).repeat(70 << 10));
                await().atMost(20, SECONDS).until(() -> Files.size(log) < 64 << 10);
            }
        }

        assertThat(directory.resolve("stderr.log.2")).exists();
        assertThat(directory.resolve("stderr.log.3")).doesNotExist();
        assertThat(read(directory.resolve("stderr.log.1"))).contains("3").doesNotContain("1");
    }

    @Test
    void rotate_fileCannotBeReplaced_goesOnWithoutRotation() throws Exception {
        Path log = directory.resolve("stdout.log");
        Files.createDirectories(directory.resolve("stdout.log.1/in the way"));
        Files.createDirectories(directory.resolve("stdout.log.2/in the way"));
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        try (ConsoleMultiplexer multiplexer = ConsoleMultiplexer.start(console)) {
            multiplexer.add(
                    log, List.of(new LogSink(() -> "", () -> true, List.of(), console)), new LogRotation(64 << 10, 2));
            append(log, ("x".repeat(99) + "\n").repeat(1000));
            await().atMost(20, SECONDS).until(() -> console.size() == 100_000);
            append(log, "more\n");
            multiplexer.finish(log).get(20, SECONDS);
        }

        assertThat(console.toString(StandardCharsets.UTF_8)).endsWith("x\nmore\n");
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
    }

    private static String read(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static int lines(String text) {
        return (int) text.lines().count();
    }
}
