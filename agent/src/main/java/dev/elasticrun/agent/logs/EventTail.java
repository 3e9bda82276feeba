/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

    /** How many bytes of lines come before those that {@link #next} returns. */
    public long offset() {
        return offset;
    }

    /** Leaves out all but the newest lines, of so many bytes at most; whether there was something to leave out. */
    public boolean skipTo(long newestBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long from = channel.size() - newestBytes;
            if (from <= offset) {
                return false;
            }
            ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
            for (long at = from - 1; channel.read(bytes.clear(), at) > 0; at += bytes.position()) {
                for (int i = 0; i < bytes.position(); i++) {
                    if (bytes.get(i) == '\n') {
                        offset = at + i + 1;
                        return true;
                    }
                }
            }
            return false;
        } catch (NoSuchFileException none) {
            return false;
        }
    }

    /** The next lines that are complete, with their ends; empty = there is none now. */
    public byte[] next() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
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
