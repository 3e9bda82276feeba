/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.logs.LogNames;
import dev.elasticrun.agent.logs.RotatedLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How far a node's logs were read: worker by worker, attempts in order, rotated parts included. Not thread-safe. */
final class LogCursor {
    static final int MAX_PART = 32 * 1024;
    private static final Pattern DIRECTORY = Pattern.compile("worker-(\\d{1,6})\\.(\\d{1,9})");

    private final Path directory;
    private final Set<Integer> slots;
    private final Map<Log, RotatedLog> files = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_PART);

    /** A piece of a log. */
    record Part(int slot, int attempt, boolean stderr, byte[] text) {}

    private record Log(int slot, int attempt, boolean stderr) {}

    /** @param slots empty = all */
    LogCursor(Path directory, List<Integer> slots) {
        this.directory = directory;
        this.slots = Set.copyOf(slots);
    }

    /**
     * Reads what is available, one chunk of each log at most; empty when there is nothing new.
     *
     * @param partial whether a last line without an end is returned, too
     */
    List<Part> next(boolean partial) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (Log log : logs()) {
            byte[] text = read(log, partial);
            if (text.length > 0) {
                parts.add(new Part(log.slot(), log.attempt(), log.stderr(), text));
            }
        }
        return parts;
    }

    private List<Log> logs() throws IOException {
        List<Log> logs = new ArrayList<>();
        try (Stream<Path> entries = Files.list(directory)) {
            entries.map(entry -> DIRECTORY.matcher(entry.getFileName().toString()))
                    .filter(Matcher::matches)
                    .forEach(name -> {
                        int slot = Integer.parseInt(name.group(1));
                        int attempt = Integer.parseInt(name.group(2));
                        if (slots.isEmpty() || slots.contains(slot)) {
                            logs.add(new Log(slot, attempt, false));
                            logs.add(new Log(slot, attempt, true));
                        }
                    });
        }
        logs.sort(Comparator.comparingInt(Log::attempt).thenComparing(Log::slot).thenComparing(Log::stderr));
        return logs;
    }

    private byte[] read(Log log, boolean partial) throws IOException {
        RotatedLog file = files.computeIfAbsent(log, this::open);
        file.read(buffer);
        int length = length(partial);
        file.advance(length);
        byte[] text = new byte[length];
        buffer.flip().get(text);
        return text;
    }

    private RotatedLog open(Log log) {
        return new RotatedLog(LogNames.output(directory, log.slot(), log.attempt(), log.stderr()));
    }

    /** Up to the last line feed; a line that fills the buffer comes in pieces. */
    private int length(boolean partial) {
        int count = buffer.position();
        int end = count;
        while (end > 0 && buffer.get(end - 1) != '\n') {
            end--;
        }
        boolean whole = count == MAX_PART && end == 0;
        return whole || (partial && count < MAX_PART) ? count : end;
    }
}
