/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of lines that is appended to, while readers follow it with {@link EventTail}. When it is large it becomes
 * {@code <file>.1}, and that {@code <file>.2}; the oldest is deleted. Each but the first begins with a line that states
 * the number of bytes of lines before it, so that one number is an offset into all of them. Owned by one thread.
 */
final class EventFile implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(EventFile.class);

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final long maxBytes;
    private final LongFunction<byte[]> firstLine;
    private FileChannel channel;
    private long base;
    private long rotateAt;

    private EventFile(Path file, long maxBytes, LongFunction<byte[]> firstLine, FileChannel channel, long base) {
        this.file = file;
        this.maxBytes = maxBytes;
        this.firstLine = firstLine;
        this.channel = channel;
        this.base = base;
        this.rotateAt = maxBytes;
    }

    /**
     * @param maxBytes of one part, more or less
     * @param firstLine of a part, by the number of bytes before it; begins with <code>{"offset":N</code> and ends the
     *     line
     */
    static EventFile open(Path file, long maxBytes, LongFunction<byte[]> firstLine) throws IOException {
        FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS), PRIVATE);
        return new EventFile(file, maxBytes, firstLine, channel, Files.isRegularFile(file) ? EventTail.base(file) : 0);
    }

    /** Appends whole lines. What cannot be rotated grows. */
    void append(ByteBuffer lines) throws IOException {
        while (lines.hasRemaining()) {
            channel.write(lines);
        }
        if (channel.position() >= rotateAt) {
            try {
                rotate();
                rotateAt = maxBytes;
            } catch (IOException e) {
                rotateAt = channel.position() + maxBytes;
                LOG.warn("{} cannot be rotated and grows", file, e);
            }
        }
    }

    private void rotate() throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        long nextBase = base + channel.size();
        Files.deleteIfExists(next);
        FileChannel opened =
                FileChannel.open(next, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND), PRIVATE);
        try {
            ByteBuffer first = ByteBuffer.wrap(firstLine.apply(nextBase));
            while (first.hasRemaining()) {
                opened.write(first);
            }
            for (int number = EventTail.PARTS; number > 0; number--) {
                Path newer = number == 1 ? file : LogRotation.part(file, number - 1);
                if (Files.exists(newer)) {
                    Files.move(newer, LogRotation.part(file, number), StandardCopyOption.ATOMIC_MOVE);
                }
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            opened.close();
            Files.deleteIfExists(next);
            throw e;
        }
        channel.close();
        channel = opened;
        base = nextBase;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
