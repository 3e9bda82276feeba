/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The end of a log, for a failure report. Reads a bounded part however large the file or a line is. */
public final class StderrTail {
    static final int LINES = 20;
    static final int BYTES = 16 * 1024;
    static final int LINE_CHARACTERS = 2000;

    private StderrTail() {}

    /** The last lines of the file, oldest first; none when there is no such file. Bytes that are not UTF-8 become �. */
    public static List<String> read(Path file) throws IOException {
        ByteBuffer end = ByteBuffer.allocate(BYTES);
        boolean cut;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long start = Math.max(0, channel.size() - BYTES);
            cut = start > 0;
            int count = 0;
            while (end.hasRemaining() && count >= 0) {
                count = channel.read(end, start + end.position());
            }
        } catch (NoSuchFileException none) {
            return List.of();
        }
        String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
        int firstBreak = text.indexOf('\n');
        if (cut && firstBreak >= 0 && firstBreak < text.length() - 1) {
            text = text.substring(firstBreak + 1);
        }
        Deque<String> last = new ArrayDeque<>();
        text.lines().forEach(line -> {
            last.addLast(shorten(line));
            if (last.size() > LINES) {
                last.removeFirst();
            }
        });
        return List.copyOf(last);
    }

    private static String shorten(String line) {
        if (line.length() <= LINE_CHARACTERS) {
            return line;
        }
        return line.substring(0, LINE_CHARACTERS) + "... (" + (line.length() - LINE_CHARACTERS) + " more characters)";
    }
}
