/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log that its worker still writes, and that may be rotated meanwhile, as one text with its rotated parts, the
 * oldest first. A part is known by its file and not by its number, which changes. Not thread-safe.
 */
public final class RotatedLog {
    private static final int TRIES = 400;
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Path log;
    // File key of the newest part before the current position; null = none.
    private @Nullable Object lastPart;
    // The number of bytes read after the end of that part.
    private long offset;
    // File key of the part with the current position; null = it is in the log itself.
    private @Nullable Object currentPart;
    // The parts after lastPart, as of the last read.
    private List<Part> ahead = List.of();

    private record Part(Path file, Object key, long size) {}

    public RotatedLog(Path log) {
        this.log = log;
    }

    /**
     * Fills the buffer as far as there is text. May wait for a rotation in progress; if that takes more than 2 s the
     * buffer stays empty. What {@link #advance} does not pass is read again.
     */
    public void read(ByteBuffer buffer) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            buffer.clear();
            try {
                if (!Files.exists(LogRotation.copy(log)) && readOnce(buffer)) {
                    return;
                }
            } catch (NoSuchFileException moved) {
                // By a rotation, in between.
            }
            LockSupport.parkNanos(WAIT_NANOS);
        }
        buffer.clear();
    }

    /** Passes this number of the bytes that were read. */
    public void advance(int length) {
        offset += length;
        currentPart = null;
        for (Part part : ahead) {
            if (offset < part.size()) {
                currentPart = part.key();
                return;
            }
            offset -= part.size();
            lastPart = part.key();
        }
        ahead = List.of();
    }

    // False if a rotation took place meanwhile.
    private boolean readOnce(ByteBuffer buffer) throws IOException {
        List<Part> parts = parts();
        int known = 0;
        for (int i = 0; i < parts.size(); i++) {
            known = parts.get(i).key().equals(lastPart) ? i + 1 : known;
        }
        ahead = parts.subList(known, parts.size());
        boolean isCurrentGone = currentPart != null
                && ahead.stream().noneMatch(part -> part.key().equals(currentPart));
        if (isCurrentGone || (known == 0 && lastPart != null)) {
            // What was reached was deleted: the oldest that is left comes next.
            lastPart = null;
            currentPart = null;
            offset = 0;
            ahead = parts;
        }
        long skip = offset;
        for (Part part : ahead) {
            skip = fill(buffer, part.file(), skip);
        }
        if (Files.exists(log) && fill(buffer, log, skip) > 0) {
            // Another process has truncated it: what is there now is new.
            offset = 0;
            ahead.forEach(part -> lastPart = part.key());
            ahead = List.of();
            fill(buffer, log, 0);
        }
        return !Files.exists(LogRotation.copy(log)) && Objects.equals(newest(parts), newest(parts()));
    }

    /** @return how many of the bytes that were to be skipped the file did not have */
    private static long fill(ByteBuffer buffer, Path file, long skip) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (skip > size) {
                return skip - size;
            }
            long position = skip;
            int count = 0;
            while (buffer.hasRemaining() && count >= 0) {
                count = channel.read(buffer, position);
                position += count;
            }
            return 0;
        }
    }

    /** The oldest first. */
    private List<Part> parts() throws IOException {
        List<Part> parts = new ArrayList<>();
        for (int number = 1; Files.isRegularFile(LogRotation.part(log, number)); number++) {
            Path file = LogRotation.part(log, number);
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            parts.add(0, new Part(file, Objects.requireNonNullElse(found.fileKey(), file), found.size()));
        }
        return parts;
    }

    private static @Nullable Object newest(List<Part> parts) {
        return parts.isEmpty() ? null : parts.get(parts.size() - 1).key();
    }
}
