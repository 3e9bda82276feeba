/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EventFileTest {
    private static final long MAX = 1000;

    @TempDir
    private Path directory;

    @Test
    void append_farMoreThanIsKept_isBounded() throws Exception {
        try (EventFile events = open()) {
            append(events, 0, 2000);
        }

        try (Stream<Path> files = Files.list(directory)) {
            List<Path> kept = files.toList();
            assertThat(kept).hasSize(1 + EventTail.PARTS);
            for (Path part : kept) {
                assertThat(Files.size(part)).isLessThan(MAX + 100);
            }
        }
    }

    @Test
    void tail_thatKeepsUp_hasEveryLineOnce() throws Exception {
        EventTail tail = new EventTail(file(), 0);
        List<String> read = new ArrayList<>();
        try (EventFile events = open()) {
            for (int number = 0; number < 1000; number += 10) {
                append(events, number, number + 10);
                read.addAll(lines(tail));
            }
        }

        assertThat(events(read)).isEqualTo(numbered(0, 1000));
    }

    @Test
    void tail_thatComesLate_hasTheNewestAndGoesOnFromThere() throws Exception {
        try (EventFile events = open()) {
            append(events, 0, 1000);
            EventTail late = new EventTail(file(), 0);

            List<String> found = events(lines(late));
            assertThat(found).endsWith("event 999").hasSizeBetween(200, 500);
            assertThat(found).isEqualTo(numbered(1000 - found.size(), 1000));

            append(events, 1000, 1010);
            assertThat(events(lines(new EventTail(file(), late.offset())))).isEqualTo(numbered(1000, 1010));
        }
    }

    @Test
    void open_again_goesOnWithTheSameCount() throws Exception {
        EventTail tail = new EventTail(file(), 0);
        List<String> read = new ArrayList<>();
        for (int number = 0; number < 300; number += 30) {
            try (EventFile events = open()) {
                append(events, number, number + 30);
            }
            read.addAll(lines(tail));
        }

        assertThat(events(read)).isEqualTo(numbered(0, 300));
    }

    private EventFile open() throws IOException {
        return EventFile.open(file(), MAX, offset -> ("{\"offset\":" + offset + ",\"kind\":\"x\"}\n")
                .getBytes(StandardCharsets.UTF_8));
    }

    private Path file() {
        return directory.resolve("events.jsonl");
    }

    private static void append(EventFile events, int from, int to) throws IOException {
        for (String line : numbered(from, to)) {
            events.append(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static List<String> numbered(int from, int to) {
        return IntStream.range(from, to).mapToObj(number -> "event " + number).toList();
    }

    private static List<String> lines(EventTail tail) throws IOException {
        List<String> lines = new ArrayList<>();
        for (byte[] next = tail.next(); next.length > 0; next = tail.next()) {
            new String(next, StandardCharsets.UTF_8).lines().forEach(lines::add);
        }
        return lines;
    }

    private static List<String> events(List<String> lines) {
        return lines.stream().filter(line -> !line.startsWith("{")).toList();
    }
}
