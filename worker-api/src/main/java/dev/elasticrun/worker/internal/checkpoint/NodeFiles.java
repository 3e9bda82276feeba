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
    private static final int MAX_RANKS_GONE = 64;
    private static final String GLOBAL = "global";

    private final List<Path> directories;
    private final CheckpointWriter writer;
    private final CheckpointOptions options;
    private final CheckpointRetention retention;
    private @Nullable CheckpointId newest;
    private @Nullable CheckpointId newestGlobal;
    private long newestKeeperWorld;
    private List<CheckpointInventory.ParityBlock> newestParity = List.of();

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
            addLocals(checkpoint, localRank, localWorldSize, checkpointStore);
            found.add(checkpoint);
        }
        return found;
    }

    /** Has the checkpoint written, unless that was done. Without memory for it there is no file. */
    public void keep(Checkpoint checkpoint, int localRank, ContentPool pool) {
        try {
            keepIfDue(checkpoint, localRank, pool);
        } catch (OutOfMemoryError e) {
            LOGGER.log(Level.WARNING, "no file of version " + checkpoint.id().version() + ": " + e);
        }
    }

    private void keepIfDue(Checkpoint checkpoint, int localRank, ContentPool pool) {
        CheckpointId id = checkpoint.id();
        boolean isNew = !id.equals(newest);
        if (Checkpoint.isLazy(id) && !options.keepsLazy() && !checkpoint.isWritten()) {
            return;
        }
        newest = id;
        // Local rank 0 may have been another worker until now.
        if (localRank == 0 && !id.equals(newestGlobal)) {
            newestGlobal = id;
            StatePart global = checkpoint.global(pool);
            if (!(global.content() instanceof FileBlob file && isNodeFile(file, id))) {
                write(checkpoint, GLOBAL, retention.slot(id.version()), List.of(global));
            }
        }
        keepLocals(checkpoint, localRank, isNew);
    }

    private void keepLocals(Checkpoint checkpoint, int localRank, boolean isNew) {
        List<CheckpointInventory.ParityBlock> parity =
                checkpoint.parity().stream().map(ParityPart::describe).toList();
        boolean isEmpty = checkpoint.locals().isEmpty() && parity.isEmpty();
        if (isEmpty || (!isNew && newestKeeperWorld == checkpoint.keeperWorld() && newestParity.equals(parity))) {
            return;
        }
        newestKeeperWorld = checkpoint.keeperWorld();
        newestParity = parity;
        List<StatePart> parts = new ArrayList<>(checkpoint.locals());
        parts.forEach(part -> part.content().retain());
        checkpoint.parity().forEach(part -> parts.addAll(part.toParts()));
        writeHeld(checkpoint, "local", slot(checkpoint.id(), localRank), parts);
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

    private void write(Checkpoint checkpoint, String slot, String name, List<StatePart> parts) {
        parts.forEach(part -> part.content().retain());
        writeHeld(checkpoint, slot, name, parts);
    }

    /** Takes over the parts. */
    private void writeHeld(Checkpoint checkpoint, String slot, String name, List<StatePart> parts) {
        CheckpointFile file = CheckpointFile.of(checkpoint, parts);
        writer.write(new CheckpointWriter.Job(slot, paths(name), file, false, () -> {}));
    }

    /** Local rank 0 also takes what was left by local ranks that are no more. */
    private void addLocals(Checkpoint checkpoint, int localRank, int localWorldSize, CheckpointStore checkpointStore) {
        CheckpointId id = checkpoint.id();
        List<Path> paths = new ArrayList<>(paths(slot(id, localRank)));
        for (int rank = localWorldSize; localRank == 0 && rank < localWorldSize + MAX_RANKS_GONE; rank++) {
            paths.addAll(paths(slot(id, rank)));
        }
        List<StatePart> locals = new ArrayList<>();
        List<ParityPart> parity = new ArrayList<>();
        for (CheckpointFile file : CheckpointWriter.read(paths, id.incarnation(), checkpointStore.localPool())) {
            boolean isOf = file.id().equals(id);
            List<ParityPart> blocks = isOf ? parity(file) : List.of();
            for (ParityPart block : blocks) {
                if (parity.stream().noneMatch(known -> known.describe().equals(block.describe()))) {
                    block.content().retain();
                    parity.add(block);
                }
            }
            for (StatePart part : file.parts()) {
                boolean isWanted =
                        isOf && part.owner() >= 0 && locals.stream().noneMatch(known -> known.owner() == part.owner());
                if (isWanted) {
                    locals.add(part);
                } else {
                    part.content().release();
                }
            }
            if (checkpoint.place() < 0 && !(locals.isEmpty() && parity.isEmpty())) {
                checkpoint.keep(file.keeperWorld(), file.place(), locals, parity);
            }
        }
        checkpoint.keep(checkpoint.keeperWorld(), checkpoint.place(), locals, parity);
    }

    /** Blocks that cannot be used are as if they were not there. */
    private static List<ParityPart> parity(CheckpointFile file) {
        try {
            return ParityPart.of(file.parts(), file.worldSize());
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "parity of version " + file.id().version() + " ignored: " + e.getMessage());
            return List.of();
        }
    }

    private List<Path> paths(String name) {
        return directories.stream().map(directory -> directory.resolve(name)).toList();
    }

    private String slot(CheckpointId id, int localRank) {
        return retention.slot(id.version()) + "." + localRank;
    }
}
