/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The lock on a node directory's file {@code lock}. The kernel releases it when the process dies. */
final class DirectoryLock implements AutoCloseable {
    /**
     * Directories that this JVM has locked. POSIX locks belong to the process, and closing any descriptor of a file
     * drops them all: a lock file of our own must not even be opened a second time.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Makes the lock file and locks it. Does not wait: a process that only probes the lock holds it, too, for an
     * instant.
     *
     * @throws DirectoryInUseException if another process holds it, or this one
     */
    static DirectoryLock acquire(Path directory) throws IOException {
        if (!HELD.add(directory)) {
            throw new DirectoryInUseException(directory);
        }
        FileChannel channel = null;
        try {
            Path file = directory.resolve("lock");
            channel = FileChannel.open(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), PrivateFiles.FILE);
            Object opened = fileKey(file);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new DirectoryInUseException(directory);
            }
            if (!lock.isValid() || !Objects.equals(opened, fileKey(file))) {
                throw new NoSuchFileException(file.toString(), null, "removed as a leftover while it was locked");
            }
            return new DirectoryLock(directory, channel);
        } catch (IOException e) {
            HELD.remove(directory);
            closeAfter(e, channel);
            throw e;
        }
    }

    /** Locks a directory that a dead agent left; null when its agent lives or it is gone. */
    static @Nullable DirectoryLock tryAcquire(Path directory) throws IOException {
        if (!HELD.add(directory)) {
            return null;
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.WRITE);
            if (channel.tryLock() != null) {
                return new DirectoryLock(directory, channel);
            }
            channel.close();
            HELD.remove(directory);
            return null;
        } catch (IOException e) {
            HELD.remove(directory);
            closeAfter(e, channel);
            if (e instanceof NoSuchFileException) {
                return null;
            }
            throw e;
        }
    }

    /** The process that holds the directory, as text. */
    static String holder(Path directory) {
        // Not looked up for our own: that would open the file.
        return HELD.contains(directory) ? "this process" : LockHolder.of(directory.resolve("lock"));
    }

    /** Whether a live agent has the directory. */
    static boolean isHeld(Path directory) throws IOException {
        if (!HELD.add(directory)) {
            return true;
        }
        // Shared, so that two concurrent probes do not take each other for a live agent.
        try (FileChannel probe = FileChannel.open(directory.resolve("lock"), StandardOpenOption.READ)) {
            return probe.tryLock(0, Long.MAX_VALUE, true) == null;
        } catch (NoSuchFileException gone) {
            return false;
        } finally {
            HELD.remove(directory);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(directory);
        }
    }

    private static @Nullable Object fileKey(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private static void closeAfter(IOException failure, @Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException alsoFailed) {
                failure.addSuppressed(alsoFailed);
            }
        }
    }
}
