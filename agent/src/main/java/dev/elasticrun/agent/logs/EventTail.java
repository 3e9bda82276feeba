/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whole lines of the events of a node, which grow at their end and lose their beginning, see {@link EventFile}. Owned by
 * one thread.
 */
public final class EventTail {
    /** Files beside the newest one. */
    static final int PARTS = 3;

    private static final Pattern FIRST_LINE = Pattern.compile("\\{\"offset\":([0-9]{1,18})[,}]");
    private static final int FIRST_BYTES = 32;
    private static final int CHUNK = 1 << 16;
    private static final int LONGEST = 1 << 24;

    private final Path file;
    private long offset;

    /** @param from how many bytes of lines are left out */
    public EventTail(Path file, long from) {
        this.file = file;
        this.offset = from;
    }

    /** The number of bytes of lines before the next result of {@link #next}, including deleted ones. */
    public long offset() {
        return offset;
    }

    /**
     * Skips all but the newest lines, of at most {@code newestBytes} bytes; returns whether there was something to
     * skip.
     */
    public boolean skipTo(long newestBytes) throws IOException {
        long before = offset;
        long from = end() - newestBytes;
        if (from <= before) {
            return false;
        }
        // Within the line before, as it seems: behind its end a whole line begins.
        offset = from - 1;
        byte[] lines = next();
        for (int at = 0; at < lines.length; at++) {
            if (lines[at] == '\n') {
                offset += at + 1 - lines.length;
                return true;
            }
        }
        offset = before;
        return false;
    }

    // The number of bytes of all lines, with deleted ones.
    private long end() throws IOException {
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return base(channel) + channel.size();
        } catch (NoSuchFileException none) {
            return 0;
        }
    }

    /** The next lines that are complete, with their ends; empty = there is none now. */
    public byte[] next() throws IOException {
        for (int number = 0; number <= PARTS; number++) {
            Path part = number == 0 ? file : LogRotation.part(file, number);
            Path older = LogRotation.part(file, number + 1);
            try (SeekableByteChannel channel =
                    Files.newByteChannel(part, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                long base = base(channel);
                if (offset >= base || !Files.exists(older, LinkOption.NOFOLLOW_LINKS)) {
                    offset = Math.max(offset, base);
                    return next(channel, base);
                }
            } catch (NoSuchFileException none) {
                // There never was one, or it is about to get its next name.
            }
        }
        return new byte[0];
    }

    private byte[] next(SeekableByteChannel channel, long base) throws IOException {
        for (int size = CHUNK; size <= LONGEST; size *= 4) {
            ByteBuffer bytes = ByteBuffer.allocate(size);
            channel.position(offset - base);
            while (bytes.hasRemaining() && channel.read(bytes) > 0) {
                // Until the end of the file, or the maximum of one read.
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
    }

    /** How many bytes of lines there were before this part. */
    static long base(Path part) throws IOException {
        try (SeekableByteChannel opened =
                Files.newByteChannel(part, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return base(opened);
        }
    }

    private static long base(SeekableByteChannel part) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(FIRST_BYTES);
        part.position(0);
        while (first.hasRemaining() && part.read(first) > 0) {
            // Until the end of the file, or enough.
        }
        Matcher found = FIRST_LINE.matcher(new String(first.array(), 0, first.position(), StandardCharsets.US_ASCII));
        return found.lookingAt() ? Long.parseLong(found.group(1)) : 0;
    }

    // The offset after the last line feed.
    private static int lastLineEnd(ByteBuffer bytes) {
        for (int at = bytes.position() - 1; at >= 0; at--) {
            if (bytes.get(at) == '\n') {
                return at + 1;
            }
        }
        return 0;
    }
}
