/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConsoleMultiplexerIT {
    // Its methods are synchronized, so the test may look while the thread writes.
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();
    private final ConsoleMultiplexer multiplexer = ConsoleMultiplexer.start(console);

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        multiplexer.close();
    }

    @Test
    void l1_manyGrowingFiles_showEveryLineOnceInItsOrder() throws Exception {
        int files = 32;
        int lines = 1000;
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            int rank = i;
            Path file = directory.resolve("worker-" + i);
            multiplexer.add(file, () -> "[trainer " + rank + "]: ", () -> true);
            writers.add(new Thread(() -> IntStream.range(0, lines).forEach(n -> append(file, "line " + n + "\n"))));
        }
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }
        for (int i = 0; i < files; i++) {
            multiplexer.finish(directory.resolve("worker-" + i)).get(10, SECONDS);
        }

        List<String> shown = shown();
        assertThat(shown).hasSize(files * lines);
        for (int i = 0; i < files; i++) {
            String prefix = "[trainer " + i + "]: ";
            assertThat(shown.stream().filter(line -> line.startsWith(prefix)))
                    .containsExactlyElementsOf(IntStream.range(0, lines)
                            .mapToObj(n -> prefix + "line " + n)
                            .toList());
        }
    }

    @Test
    void l2_fileThatNeverComes_doesNotKeepAnybodyWaiting() throws Exception {
        Path file = directory.resolve("never");
        multiplexer.add(file, () -> "", () -> true);

        multiplexer.finish(file).get(10, SECONDS);
        multiplexer.finish(directory.resolve("unknown")).get(10, SECONDS);
        multiplexer.close();

        assertThat(shown()).isEmpty();
    }

    @Test
    void l3_filters_collectMatchingLinesOfAllWorkers() throws Exception {
        ByteArrayOutputStream collected = new ByteArrayOutputStream();
        for (int i = 0; i < 4; i++) {
            String prefix = "[" + i + "] ";
            Path file = directory.resolve("worker-" + i);
            append(file, "loss 0.5\nnoise\nWARN slow\n");
            multiplexer.add(
                    file,
                    List.of(
                            new LogSink(() -> prefix, () -> false, List.of(), console),
                            new LogSink(() -> prefix, () -> true, List.of("loss", "WARN"), collected)),
                    LogRotation.NEVER);
            multiplexer.finish(file).get(10, SECONDS);
        }

        assertThat(collected.toString(StandardCharsets.UTF_8).lines())
                .containsExactlyElementsOf(IntStream.range(0, 4)
                        .boxed()
                        .flatMap(i -> Stream.of("[" + i + "] loss 0.5", "[" + i + "] WARN slow"))
                        .toList());
        assertThat(shown()).isEmpty();
    }

    @Test
    void finish_partialLine_isShownAndTheFileForgotten() throws Exception {
        Path file = directory.resolve("f");
        append(file, "whole\npart");
        multiplexer.add(file, () -> "p ", () -> true);
        await().until(() -> shown().size() == 1);

        multiplexer.finish(file).get(10, SECONDS);

        assertThat(shown()).containsExactly("p whole", "p part");
        multiplexer.add(file, () -> "again ", () -> true);
        multiplexer.finish(file).get(10, SECONDS);
        assertThat(shown()).hasSize(4);
    }

    @Test
    void finish_whileTheWriterJustEnded_losesNothing() throws Exception {
        for (int i = 0; i < 200; i++) {
            Path file = directory.resolve("f" + i);
            multiplexer.add(file, () -> "", () -> true);
            append(file, "last words\n");
            multiplexer.finish(file).get(10, SECONDS);

            assertThat(shown()).hasSize(i + 1);
        }
    }

    @Test
    void add_rankChanges_prefixAndSelectionFollow() throws Exception {
        Path file = directory.resolve("f");
        AtomicReference<String> prefix = new AtomicReference<>("[w 0]: ");
        AtomicBoolean enabled = new AtomicBoolean(true);
        multiplexer.add(file, prefix::get, enabled::get);
        append(file, "a\n");
        await().until(() -> shown().size() == 1);

        enabled.set(false);
        append(file, "hidden\nhidden ha");
        Path marker = directory.resolve("marker");
        append(marker, "turn\n");
        multiplexer.add(marker, () -> "", () -> true);
        multiplexer.finish(marker).get(10, SECONDS);
        prefix.set("[w 1]: ");
        enabled.set(true);
        append(file, "lf\nb\n");
        await().until(() -> shown().size() == 3);

        assertThat(shown()).containsExactly("[w 0]: a", "turn", "[w 1]: b");
    }

    @Test
    void add_fileCutByRotation_goesOnFromItsStart() throws Exception {
        Path file = directory.resolve("f");
        append(file, "before the cut\n");
        multiplexer.add(file, () -> "", () -> true);
        await().until(() -> shown().size() == 1);

        Files.write(file, new byte[0]);
        Path marker = directory.resolve("marker");
        append(marker, "turn\n");
        multiplexer.add(marker, () -> "", () -> true);
        multiplexer.finish(marker).get(10, SECONDS);
        append(file, "after\n");

        await().until(() -> shown().size() == 3);
        assertThat(shown()).endsWith("after");
    }

    @Test
    void close_manyBytesUnread_showsThemAll() throws Exception {
        Path file = directory.resolve("f");
        Files.writeString(file, "0123456789\n".repeat(200_000) + "end");
        multiplexer.add(file, () -> "", () -> true);

        multiplexer.close();

        assertThat(shown()).hasSize(200_001).endsWith("end");
    }

    @Test
    void close_consoleThatIsSlow_waitsAsLongAsItMoves() throws Exception {
        Path file = directory.resolve("log");
        append(file, "a line of twenty byte\n".repeat(20_000));
        OutputStream slow = new OutputStream() {
            @Override
            public void write(int b) {
                console.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                LockSupport.parkNanos(Duration.ofMillis(40).toNanos());
                console.write(bytes, offset, length);
            }
        };
        ConsoleMultiplexer patient = ConsoleMultiplexer.start(slow, Duration.ofMillis(500));
        patient.add(file, () -> "", () -> true);
        patient.close();

        assertThat(shown()).hasSize(20_000);
    }

    @Test
    void close_consoleThatTakesNothing_countsWhatIsMissing() throws Exception {
        Path file = directory.resolve("log");
        append(file, "a line of twenty byte\n".repeat(50_000));
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger pieces = new AtomicInteger();
        OutputStream stuck = new OutputStream() {
            @Override
            public void write(int b) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (pieces.incrementAndGet() > 2) {
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                }
            }
        };
        ConsoleMultiplexer given = ConsoleMultiplexer.start(stuck, Duration.ofMillis(300));
        given.add(file, () -> "", () -> true);
        given.close();

        // But for a line that was read in part.
        assertThat(given.missing()).isBetween(22L * 50_000 - 2 * 16_384 - 22, 22L * 50_000 - 2 * 16_384);
        released.countDown();
    }

    @Test
    void add_supplierThatFails_doesNotStopTheOthers() throws Exception {
        Path bad = directory.resolve("bad");
        Path good = directory.resolve("good");
        append(bad, "x\n");
        append(good, "y\n");
        multiplexer.add(
                bad,
                () -> {
                    throw new IllegalStateException("as planned");
                },
                () -> true);
        multiplexer.add(good, () -> "", () -> true);

        await().until(() -> shown().equals(List.of("y")));
    }

    @Test
    void add_consoleThatBlocks_stallsNeitherCallerNorLines() throws Exception {
        CountDownLatch opened = new CountDownLatch(1);
        OutputStream blocked = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                try {
                    opened.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                console.write(b);
            }
        };
        try (ConsoleMultiplexer stalled = ConsoleMultiplexer.start(blocked)) {
            Path first = directory.resolve("first");
            Path second = directory.resolve("second");
            append(first, "1\n");
            stalled.add(first, () -> "", () -> true);
            append(second, "2\n");
            stalled.add(second, () -> "", () -> true);
            assertThat(stalled.finish(second)).isNotDone();

            opened.countDown();
            stalled.finish(second).get(10, SECONDS);
            await().until(() -> shown().size() == 2);
        }
    }

    private List<String> shown() {
        return console.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
