/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointHeader;
import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint files in the node's directories, which outlive its workers: {@code <slot>} with the global state,
 * written by local rank 0, and {@code <slot>.<local rank>} with the local states that a worker holds. Versions take the
 * slots of {@link CheckpointRetention} in turn, so the newest but one stays whole while the newest is written. Each file
 * is in the first directory in which it fits, so what is read may be in any. User thread.
 */
public final class NodeFiles {
    private static final System.Logger LOGGER = System.getLogger(NodeFiles.class.getName());
    private static final String GLOBAL = "global";

    private final List<Path> directories;
    private final CheckpointWriter writer;
    private final CheckpointOptions options;
    private final CheckpointRetention retention;
    private final LocalFiles locals;
    private @Nullable CheckpointId newest;
    private @Nullable CheckpointId newestGlobal;

    /** @param directories the best first */
    public NodeFiles(List<Path> directories, CheckpointWriter writer, CheckpointOptions options) {
        this(directories, writer, options, CheckpointRetention.STANDARD);
    }

    NodeFiles(
            List<Path> directories, CheckpointWriter writer, CheckpointOptions options, CheckpointRetention retention) {
        this.directories = List.copyOf(directories);
        this.writer = writer;
        this.options = options;
        this.retention = retention;
        this.locals = new LocalFiles(directories, writer, retention);
    }

    public CheckpointOptions options() {
        return options;
    }

    /** Where every n-th version goes, too, if the run has such a place. */
    public Optional<DurableCopies> durable() {
        return options.durable().map(copies -> new DurableCopies(copies, options.durableEvery(), writer, retention));
    }

    /** The whole ones of this incarnation, newest first, with what local states this worker, or none now, had. */
    List<Checkpoint> read(String incarnation, int localRank, int localWorldSize, CheckpointStore checkpointStore) {
        List<Path> paths =
                retention.slots().stream().flatMap(slot -> paths(slot).stream()).toList();
        List<Checkpoint> found = new ArrayList<>();
        for (CheckpointFile file : CheckpointWriter.read(paths, incarnation, checkpointStore.pool())) {
            StatePart global = file.parts().get(0);
            boolean isKnown = found.stream().anyMatch(known -> known.id().equals(file.id()));
            if (isKnown || found.size() == retention.kept()) {
                global.content().release();
                continue;
            }
            Checkpoint checkpoint =
                    Checkpoint.of(file.id(), file.worldSize(), global).withLocals(file.hasLocals());
            locals.addTo(checkpoint, localRank, localWorldSize, checkpointStore);
            found.add(checkpoint);
        }
        return found;
    }

    /** Has the checkpoint written, unless that was done. Without memory for it there is no file. */
    public void keep(Checkpoint checkpoint, int localRank, CheckpointStore checkpointStore) {
        try {
            keepIfDue(checkpoint, localRank, checkpointStore);
        } catch (OutOfMemoryError e) {
            LOGGER.log(Level.WARNING, "no file of version " + checkpoint.id().version() + ": " + e);
        }
    }

    private void keepIfDue(Checkpoint checkpoint, int localRank, CheckpointStore checkpointStore) {
        CheckpointId id = checkpoint.id();
        boolean isNew = !id.equals(newest);
        if (Checkpoint.isLazy(id) && !options.keepsLazy() && !checkpoint.isWritten()) {
            return;
        }
        newest = id;
        // Local rank 0 may have been another worker until now.
        if (localRank == 0 && !id.equals(newestGlobal)) {
            newestGlobal = id;
            StatePart global = checkpoint.global(checkpointStore.pool());
            if (!(global.content() instanceof FileBlob file && isNodeFile(file, id))) {
                write(checkpoint, global);
            }
        }
        locals.keep(checkpoint, localRank, isNew, checkpointStore.contentFiles());
    }

    /** Whether a content that is outside of the heap is in the node's file, as it was, or as its name could be changed. */
    private boolean isNodeFile(FileBlob file, CheckpointId id) {
        List<Path> paths = paths(retention.slot(id.version()));
        try {
            if (paths.contains(file.path())) {
                return CheckpointHeader.readId(file.path()).equals(id);
            }
            if (!ContentFiles.isStaged(file.path()) || !writer.clear(GLOBAL)) {
                return false;
            }
            Path target = file.path().resolveSibling(retention.slot(id.version()));
            Files.move(file.path(), target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            file.stays();
            paths.stream().filter(other -> !other.equals(target)).forEach(NodeFiles::deleteOlder);
            return true;
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "version " + id.version() + " is written again for the node: " + e);
            return false;
        }
    }

    /** Readers take the newest file: an older one that stays only takes space. */
    private static void deleteOlder(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "cannot delete " + file + ": " + e);
        }
    }

    private void write(Checkpoint checkpoint, StatePart global) {
        global.content().retain();
        CheckpointFile file = CheckpointFile.of(checkpoint, List.of(global));
        List<Path> paths = paths(retention.slot(checkpoint.id().version()));
        writer.write(new CheckpointWriter.Job(GLOBAL, paths, file, false, () -> {}));
    }

    private List<Path> paths(String name) {
        return directories.stream().map(directory -> directory.resolve(name)).toList();
    }
}
