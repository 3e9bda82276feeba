/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.http.PageSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The last lines of this node's workers, with those of the processes that were in a slot before. */
final class LogEnds {
    private static final int MAX_BYTES = 48 * 1024;

    private final NodeFiles files;

    LogEnds(NodeFiles files) {
        this.files = files;
    }

    /** @param attempt the newest; earlier ones come before it, as far as there is room */
    PageSource.LogText read(int slot, int attempt, boolean stderr) throws IOException {
        String text = "";
        boolean whole = true;
        for (int earlier = attempt; earlier >= 0 && whole; earlier--) {
            Path file = stderr ? files.stderr(slot, earlier) : files.stdout(slot, earlier);
            End end = end(file, MAX_BYTES - text.length());
            if (!text.isEmpty() && !end.text().isEmpty()) {
                text = "---- attempt " + earlier + " ended here, attempt " + (earlier + 1) + " began ----\n" + text;
            }
            text = end.text() + text;
            whole = end.whole() && text.length() < MAX_BYTES;
        }
        Path newest = stderr ? files.stderr(slot, attempt) : files.stdout(slot, attempt);
        return new PageSource.LogText(newest.toString(), text, whole);
    }

    private record End(String text, boolean whole) {}

    private static End end(Path file, int limit) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            int length = (int) Math.min(size, limit);
            ByteBuffer bytes = ByteBuffer.allocate(length);
            long at = size - length;
            int read = 1;
            while (bytes.hasRemaining() && read > 0) {
                read = channel.read(bytes, at + bytes.position());
            }
            String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
            boolean whole = length == size;
            // Not half a line at the beginning.
            return new End(whole ? text : text.substring(text.indexOf('\n') + 1), whole);
        } catch (NoSuchFileException none) {
            return new End("", true);
        }
    }
}
