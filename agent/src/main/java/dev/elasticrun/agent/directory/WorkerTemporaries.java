/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary directory for each worker, {@code <$TMPDIR or /tmp>/elastic-run-<uid>/<incarnation>/<nodeId>/tmp-<slot>.
 * <attempt>}: on a disk, where the run directory is in memory. Removed like the run directory, and each one when its
 * worker is gone. Safe for use by any thread.
 */
public final class WorkerTemporaries implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerTemporaries.class);

    private final Path path;
    private final @Nullable RunDirectory own;
    private final List<String> notices;

    private WorkerTemporaries(Path path, @Nullable RunDirectory own, List<String> notices) {
        this.path = path;
        this.own = own;
        this.notices = List.copyOf(notices);
    }

    /** Makes and locks their directory, beside the run directory or, if there is no other place, within. */
    public static WorkerTemporaries create(RunDirectory run, String incarnation, String nodeId) throws IOException {
        return create(RunDirectoryBase.disks(), run, incarnation, nodeId);
    }

    public static WorkerTemporaries create(List<Path> bases, RunDirectory run, String incarnation, String nodeId)
            throws IOException {
        List<String> notices = new ArrayList<>();
        for (Path base : bases) {
            Path there = RunDirectoryBase.nameIn(base).resolve(incarnation).resolve(nodeId);
            if (there.equals(run.path())) {
                break;
            }
            try {
                RunDirectory own = RunDirectory.create(List.of(base), 0, incarnation, nodeId);
                return new WorkerTemporaries(own.path(), own, notices);
            } catch (IOException e) {
                notices.add("temporary directories of workers not in " + base + ": " + e.getMessage());
            }
        }
        return new WorkerTemporaries(run.path(), null, notices);
    }

    /** User-readable reasons why they are not in their usual place; empty when they are. */
    public List<String> notices() {
        return notices;
    }

    /** What the guard removes besides the run directory. */
    public List<Path> outsideTheRunDirectory() {
        return own == null ? List.of() : List.of(own.path());
    }

    /** Where workers put checkpoint files that do not fit into the run directory; empty = there is no other place. */
    public Optional<Path> checkpoints() {
        return own == null ? Optional.empty() : Optional.of(path.resolve("checkpoint"));
    }

    /** A directory for what all workers load, made by this call; empty = there is no place on a disk. */
    public Optional<Path> classData() {
        if (own == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.createDirectories(path.resolve("class-data"), PrivateFiles.DIRECTORY));
        } catch (IOException e) {
            LOG.warn("cannot make a directory for workers' classes", e);
            return Optional.empty();
        }
    }

    /** Makes the directory of a worker. */
    public Path make(int slot, int attempt) throws IOException {
        return Files.createDirectories(directory(slot, attempt), PrivateFiles.DIRECTORY);
    }

    /** Removes the directory of a worker whose processes are gone, in the background. */
    public void discard(int slot, int attempt) {
        CompletableFuture.runAsync(() -> {
            try {
                PrivateFiles.deleteTree(directory(slot, attempt));
            } catch (IOException e) {
                LOG.warn("cannot remove {} yet", directory(slot, attempt), e);
            }
        });
    }

    /** Removes all; the workers must be gone. */
    @Override
    public void close() throws IOException {
        if (own != null) {
            own.close();
        }
    }

    private Path directory(int slot, int attempt) {
        return path.resolve("tmp-" + slot + "." + attempt);
    }
}
