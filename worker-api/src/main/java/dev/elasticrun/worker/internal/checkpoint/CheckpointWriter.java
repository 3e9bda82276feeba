/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointSpace;
import dev.elasticrun.worker.contract.Daemons;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files up to date on a thread of its own, {@code checkpoint-writer}, so that no step waits for a disk. For each
 * slot the newest wins: what was not begun when a newer one comes is never written. What cannot be
 * written costs its copy, not the step, and is logged once until it works again. Any thread calls.
 */
public final class CheckpointWriter implements Closeable {
    private static final System.Logger LOGGER = System.getLogger(CheckpointWriter.class.getName());
    /** Shorter than the grace that a worker gets to end. */
    private static final long CLOSE_MILLIS = 10_000;

    // Guarded by this.
    private final Deque<Job> waiting = new ArrayDeque<>();
    private @Nullable Thread thread;
    private boolean isBusy;
    private String busySlot = "";
    private boolean isClosed;
    // The writing thread's.
    private final Set<String> failing = new HashSet<>();
    private final Set<Path> shortOfSpace = new HashSet<>();
    private final Map<Path, CheckpointSpace> spaces = new HashMap<>();

    /**
     * One file to be written; holds its parts. Files of one slot replace each other.
     *
     * @param paths where it can be, the best first: it is in one of them
     */
    record Job(String slot, List<Path> paths, CheckpointFile file, boolean isDurable, Runnable then) {
        Job {
            paths = List.copyOf(paths);
        }

        /** A durable copy was requested: it may keep a buffer longer than the versions that the worker holds. */
        boolean isInTheWay() {
            return file.parts().stream().anyMatch(part -> part.content().isInTheWay(!isDurable));
        }

        void release() {
            file.parts().forEach(part -> part.content().release());
        }
    }

    /** Takes over the job's parts. Does not block. */
    synchronized void write(Job job) {
        if (isClosed) {
            job.release();
            return;
        }
        waiting.removeIf(older -> isReplaced(older, job.slot()));
        waiting.add(job);
        if (thread == null) {
            thread = Daemons.start("checkpoint-writer", this::run);
        }
        notifyAll();
    }

    /** Files of that slot which wait are not written. Returns whether none is being written either. */
    synchronized boolean clear(String slot) {
        waiting.removeIf(older -> isReplaced(older, slot));
        return !isBusy || !busySlot.equals(slot);
    }

    private static boolean isReplaced(Job older, String slot) {
        boolean isReplaced = older.slot().equals(slot);
        if (isReplaced) {
            older.release();
        }
        return isReplaced;
    }

    /** Waits until all that was given is written, for a while. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        drain(CLOSE_MILLIS);
    }

    /** Blocks until nothing waits to be written, at most that long. */
    public synchronized void drain(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        try {
            for (long left = millis; (isBusy || !waiting.isEmpty()) && left > 0; ) {
                wait(left);
                left = (end - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        for (Job job = next(); job != null; job = next()) {
            try {
                writeWhereItFits(job);
                job.then().run();
                failing.remove(job.slot());
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                if (failing.add(job.slot())) {
                    LOGGER.log(Level.WARNING, "cannot keep checkpoints in files, and goes on without: " + e);
                }
            } finally {
                job.release();
            }
        }
    }

    private synchronized @Nullable Job next() {
        isBusy = false;
        notifyAll();
        try {
            while (waiting.isEmpty()) {
                if (isClosed) {
                    return null;
                }
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        isBusy = true;
        Job next = waiting.remove();
        busySlot = next.slot();
        return next;
    }

    /** To the first place where it fits. What is in the others is older then, and takes space. */
    private void writeWhereItFits(Job job) throws IOException {
        IOException failure = new IOException("no place for " + job.slot());
        for (Path path : job.paths()) {
            try {
                job.file().write(spaceOf(path), path, job.isDurable(), job::isInTheWay);
                for (Path other : job.paths()) {
                    if (!other.equals(path)) {
                        Files.deleteIfExists(other);
                    }
                }
                return;
            } catch (CheckpointFile.GivenUpException e) {
                throw e;
            } catch (IOException e) {
                e.addSuppressed(failure);
                failure = e;
                Path directory = path.toAbsolutePath().getParent();
                if (job.paths().size() > 1 && shortOfSpace.add(directory)) {
                    LOGGER.log(Level.INFO, "a checkpoint file is not kept in its first place: " + e);
                }
            }
        }
        throw failure;
    }

    private CheckpointSpace spaceOf(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
        CheckpointSpace space = spaces.get(directory);
        if (space == null) {
            space = CheckpointSpace.of(directory);
            spaces.put(directory, space);
        }
        return space;
    }

    /** The whole ones of this incarnation, newest first. Damaged and foreign files are as if they were not there. */
    static List<CheckpointFile> read(List<Path> paths, String incarnation, ContentPool pool) {
        List<CheckpointFile> found = new ArrayList<>();
        for (Path path : paths) {
            if (!Files.exists(path)) {
                continue;
            }
            try {
                CheckpointFile file = CheckpointFile.read(path, pool);
                if (file.id().incarnation().equals(incarnation)) {
                    found.add(file);
                }
            } catch (IOException e) {
                LOGGER.log(Level.WARNING, path + " ignored: " + e.getMessage());
            }
        }
        found.sort(Comparator.<CheckpointFile>comparingLong(file -> file.id().world())
                .thenComparingLong(file -> file.id().version())
                .reversed());
        return found;
    }
}
