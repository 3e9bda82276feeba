/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the beginning of a log that its worker continues to write to {@code <log>.1}, and that to {@code <log>.2}. On
 * ext4 and xfs the kernel cuts the beginning off and not a byte is lost. Elsewhere the log is emptied once all of it is
 * copied: what is written in between, microseconds, is lost. Owned by the thread {@code log-tail}.
 */
public final class LogRotation {
    static final LogRotation NEVER = new LogRotation(0, 0);

    private static final Logger LOG = LoggerFactory.getLogger(LogRotation.class);
    private static final int QUIET_TRIES = 16;
    private static final long CUT_SECONDS = 30;

    private final long maxBytes;
    private final int maxFiles;
    private boolean cuts = true;

    /**
     * @param maxBytes size from which a log is rotated; 0 = never
     * @param maxFiles how many parts are kept beside the log itself
     */
    public LogRotation(long maxBytes, int maxFiles) {
        this.maxBytes = maxBytes;
        this.maxFiles = maxFiles;
    }

    boolean isDue(long size) {
        return maxBytes > 0 && size >= maxBytes;
    }

    /** @return by how many bytes the file has become shorter at its beginning */
    long rotate(Path file) throws IOException {
        Path copy = copy(file);
        try (FileChannel log = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel part = FileChannel.open(
                        copy,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            long block = Files.getFileStore(file).getBlockSize();
            long cut = (log.size() - 1) / block * block;
            copy(log, 0, cut, part);
            // Before anything is cut: whatever fails then, a part of the log is there twice, and none is lost.
            shift(file);
            name(copy, part(file, 1));
            return cut > 0 && cuts && cutOff(file, cut) ? cut : empty(log, cut, part);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    // The copy also keeps its own name until the log is cut: by that name, readers detect that a part is there twice.
    private static void name(Path copy, Path part) throws IOException {
        try {
            Files.createLink(part, copy);
        } catch (IOException | UnsupportedOperationException noLinksHere) {
            Files.move(copy, part, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    // Runs fallocate, as Java has no call for it.
    private boolean cutOff(Path file, long length) throws IOException {
        try {
            Process fallocate = new ProcessBuilder(
                            "fallocate", "--collapse-range", "--length", Long.toString(length), file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!fallocate.waitFor(CUT_SECONDS, TimeUnit.SECONDS)) {
                // Whether it will still cut is not known: no other way is safe.
                throw new IOException("fallocate did not end within " + CUT_SECONDS + " s");
            }
            cuts = fallocate.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).startsWith("Cannot run program")) {
                throw e;
            }
            cuts = false;
        }
        if (!cuts) {
            LOG.info("logs are emptied when they are rotated: {} is on a file system that cannot cut them", file);
        }
        return cuts;
    }

    private static long empty(FileChannel log, long copied, FileChannel part) throws IOException {
        long end = copied;
        for (int i = 0; i < QUIET_TRIES && log.size() > end; i++) {
            long size = log.size();
            copy(log, end, size, part);
            end = size;
        }
        log.truncate(0);
        return end;
    }

    private static void copy(FileChannel log, long from, long to, FileChannel part) throws IOException {
        long position = from;
        while (position < to) {
            long count = log.transferTo(position, to - position, part);
            if (count <= 0) {
                throw new IOException("the log became shorter while it was copied");
            }
            position += count;
        }
    }

    private void shift(Path file) throws IOException {
        Files.deleteIfExists(part(file, maxFiles));
        for (int number = maxFiles - 1; number >= 1; number--) {
            if (Files.exists(part(file, number))) {
                Files.move(part(file, number), part(file, number + 1), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /** There while the log is rotated. */
    static Path copy(Path file) {
        return file.resolveSibling(file.getFileName() + ".rotating");
    }

    /** The newest part is number 1. */
    static Path part(Path file, int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }
}
