/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogCursorTest {
    @TempDir
    private Path directory;

    @Test
    void next_workersInOrder_untilNothingIsNew() throws IOException {
        write("worker-1.0", "stdout.log", "b\n");
        write("worker-0.1", "stdout.log", "c\n");
        write("worker-0.0", "stderr.log", "a2\n");
        write("worker-0.0", "stdout.log", "a1\npart");
        write("other", "stdout.log", "no worker\n");
        LogCursor cursor = new LogCursor(directory, List.of());

        assertThat(read(cursor, false)).containsExactly("0.0 out a1\n", "0.0 err a2\n", "1.0 out b\n", "0.1 out c\n");
        assertThat(read(cursor, false)).isEmpty();
        write("worker-0.0", "stdout.log", "ial\n");
        assertThat(read(cursor, false)).containsExactly("0.0 out partial\n");
    }

    @Test
    void next_partialIsWanted_comesAtTheEnd() throws IOException {
        write("worker-0.0", "stdout.log", "whole\npart");

        assertThat(read(new LogCursor(directory, List.of()), true)).containsExactly("0.0 out whole\npart");
    }

    @Test
    void next_slots_areTheOnlyOnes() throws IOException {
        write("worker-0.0", "stdout.log", "a\n");
        write("worker-1.0", "stdout.log", "b\n");

        assertThat(read(new LogCursor(directory, List.of(1)), true)).containsExactly("1.0 out b\n");
    }

    @Test
    void next_longText_comesInPiecesOfWholeLines() throws IOException {
        String line = "x".repeat(999) + "\n";
        write("worker-0.0", "stdout.log", line.repeat(100) + "y".repeat(40_000));
        LogCursor cursor = new LogCursor(directory, List.of());
        StringBuilder all = new StringBuilder();
        List<LogCursor.Part> parts = cursor.next(true);
        assertThat(parts.get(0).text()).hasSize(32_000);
        while (!parts.isEmpty()) {
            parts.forEach(part -> all.append(new String(part.text(), StandardCharsets.UTF_8)));
            parts = cursor.next(true);
        }
        assertThat(all.toString()).isEqualTo(line.repeat(100) + "y".repeat(40_000));
    }

    @Test
    void next_rotated_goesOnWithWhatIsThere() throws IOException {
        write("worker-0.0", "stdout.log", "before the rotation\n");
        LogCursor cursor = new LogCursor(directory, List.of());
        cursor.next(false);

        Files.writeString(directory.resolve("worker-0.0/stdout.log"), "after\n");

        assertThat(read(cursor, false)).containsExactly("0.0 out after\n");
    }

    @Test
    void next_rotatedParts_comeFirstAndLinesAreWhole() throws IOException {
        write("worker-0.0", "stdout.log.2", "one\ntw");
        write("worker-0.0", "stdout.log.1", "o\nthr");
        write("worker-0.0", "stdout.log", "ee\n");

        assertThat(read(new LogCursor(directory, List.of()), false)).containsExactly("0.0 out one\ntwo\nthree\n");
    }

    private static List<String> read(LogCursor cursor, boolean partial) throws IOException {
        return cursor.next(partial).stream()
                .map(part -> part.slot() + "." + part.attempt() + (part.stderr() ? " err " : " out ")
                        + new String(part.text(), StandardCharsets.UTF_8))
                .toList();
    }

    private void write(String worker, String log, String text) throws IOException {
        Path file = directory.resolve(worker).resolve(log);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
