/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The last lines of a node's workers, with those of the processes that were in a slot before. Safe for use by any thread. */
public final class LogEnds {
    /** Fits into one message between agents. */
    public static final int MAX_BYTES = 48 * 1024;

    private final Path directory;

    /** @param directory of the node's logs */
    public LogEnds(Path directory) {
        this.directory = directory;
    }

    /**
     * The end of a log.
     *
     * @param file of the newest process
     * @param whole whether nothing is before it
     */
    public record End(Path file, String text, boolean whole) {}

    /** That of the slot's newest process; those before it come before it, as far as there is room. */
    public End read(int slot, boolean stderr) throws IOException {
        List<Integer> attempts = attempts(slot);
        String text = "";
        boolean whole = true;
        for (int attempt : attempts) {
            Part part = part(LogNames.output(directory, slot, attempt, stderr), MAX_BYTES - text.length());
            if (!text.isEmpty() && !part.text().isEmpty()) {
                text = "---- attempt " + attempt + " ended here, a later one began ----\n" + text;
            }
            text = part.text() + text;
            whole = part.whole();
            if (!whole || text.length() >= MAX_BYTES) {
                break;
            }
        }
        int newest = attempts.isEmpty() ? 0 : attempts.get(0);
        return new End(LogNames.output(directory, slot, newest, stderr), text, whole);
    }

    /** Newest first. */
    private List<Integer> attempts(int slot) throws IOException {
        String prefix = LogNames.prefix(slot);
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith(prefix)
                            && name.substring(prefix.length()).matches("\\d{1,9}"))
                    .map(name -> Integer.valueOf(name.substring(prefix.length())))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    private record Part(String text, boolean whole) {}

    private static Part part(Path file, int limit) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            int length = (int) Math.min(size, Math.max(0, limit));
            ByteBuffer bytes = ByteBuffer.allocate(length);
            long at = size - length;
            int read = 1;
            while (bytes.hasRemaining() && read > 0) {
                read = channel.read(bytes, at + bytes.position());
            }
            String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
            boolean whole = length == size;
            // Not half a line at the beginning.
            return new Part(whole ? text : text.substring(text.indexOf('\n') + 1), whole);
        } catch (NoSuchFileException none) {
            return new Part("", true);
        }
    }
}
