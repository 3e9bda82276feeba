/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Whole lines of a file that grows at its end. Owned by one thread. */
public final class EventTail {
    private static final int CHUNK = 1 << 16;
    private static final int LONGEST = 1 << 24;

    private final Path file;
    private long offset;

    /** @param from how many bytes of lines are left out */
    public EventTail(Path file, long from) {
        this.file = file;
        this.offset = from;
    }

    /** The next lines that are complete, with their ends; empty = there is none now. */
    public byte[] next() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            for (int size = CHUNK; size <= LONGEST; size *= 4) {
                ByteBuffer bytes = ByteBuffer.allocate(size);
                while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) > 0) {
                    // Until the end of the file, or as much as is wanted at once.
                }
                int end = lastLineEnd(bytes);
                if (end > 0 || bytes.hasRemaining()) {
                    byte[] lines = new byte[end];
                    bytes.flip().get(lines);
                    offset += end;
                    return lines;
                }
            }
            throw new IOException(file + ": a line of more than " + LONGEST + " bytes");
        } catch (NoSuchFileException none) {
            return new byte[0];
        }
    }

    /** Behind it. */
    private static int lastLineEnd(ByteBuffer bytes) {
        for (int at = bytes.position() - 1; at >= 0; at--) {
            if (bytes.get(at) == '\n') {
                return at + 1;
            }
        }
        return 0;
    }
}
