/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files {@code <slot>.<local rank>} of a node, each with the local states and blocks of parity that a worker holds. Those in
 * the heap are in the file, which is written in the background. Those outside of the heap have files of their own from the start: the
 * file refers to them, and is written at once. User thread.
 */
final class LocalFiles {
    private static final System.Logger LOGGER = System.getLogger(LocalFiles.class.getName());
    private static final int MAX_RANKS_GONE = 64;
    private static final String SLOT = "local";

    private final List<Path> directories;
    private final CheckpointWriter writer;
    private final CheckpointRetention retention;
    private long newestKeeperWorld;
    private List<CheckpointInventory.ParityBlock> newestParity = List.of();
    private boolean isFailing;

    /** @param directories the best first */
    LocalFiles(List<Path> directories, CheckpointWriter writer, CheckpointRetention retention) {
        this.directories = List.copyOf(directories);
        this.writer = writer;
        this.retention = retention;
    }

    /** @param isNew whether this worker has not kept the checkpoint yet */
    void keep(Checkpoint checkpoint, int localRank, boolean isNew, ContentFiles contentFiles) {
        List<CheckpointInventory.ParityBlock> parity =
                checkpoint.parity().stream().map(ParityPart::describe).toList();
        boolean isEmpty = checkpoint.locals().isEmpty() && parity.isEmpty();
        if (isEmpty || (!isNew && newestKeeperWorld == checkpoint.keeperWorld() && newestParity.equals(parity))) {
            return;
        }
        newestKeeperWorld = checkpoint.keeperWorld();
        newestParity = parity;
        String name = name(checkpoint.id(), localRank);
        if (checkpoint.hasStreamedLocals()) {
            refer(checkpoint, name, contentFiles);
            if (localRank == 0) {
                // What this version takes the place of may be referred to until now, by other workers of the node.
                new CheckpointFiles(directories).removeContents(checkpoint.id().version() - 1);
            }
        } else {
            List<StatePart> parts = new ArrayList<>(checkpoint.locals());
            parts.forEach(part -> part.content().retain());
            checkpoint.parity().forEach(part -> parts.addAll(part.toParts()));
            write(checkpoint, name, parts);
        }
    }

    /** Adds what this worker, or none now, had. Local rank 0 also takes what was left by local ranks that are no more. */
    void addTo(Checkpoint checkpoint, int localRank, int localWorldSize, CheckpointStore checkpointStore) {
        CheckpointId id = checkpoint.id();
        List<Path> paths = new ArrayList<>(paths(name(id, localRank)));
        for (int rank = localWorldSize; localRank == 0 && rank < localWorldSize + MAX_RANKS_GONE; rank++) {
            paths.addAll(paths(name(id, rank)));
        }
        List<StatePart> locals = new ArrayList<>();
        List<ParityPart> parity = new ArrayList<>();
        for (CheckpointFile file : CheckpointWriter.read(paths, id.incarnation(), checkpointStore.localPool())) {
            if (file.id().equals(id)) {
                addStates(file, locals);
                addParity(file, parity);
                addNamed(file, checkpointStore.contentFiles(), locals, parity);
            }
            file.release();
            if (checkpoint.place() < 0 && !(locals.isEmpty() && parity.isEmpty())) {
                checkpoint.keep(file.keeperWorld(), file.place(), locals, parity);
            }
        }
        checkpoint.keep(checkpoint.keeperWorld(), checkpoint.place(), locals, parity);
    }

    private void refer(Checkpoint checkpoint, String name, ContentFiles contentFiles) {
        List<StatePart> parts = new ArrayList<>();
        checkpoint.locals().forEach(part -> parts.add(IndexEntry.of(part).toPart()));
        checkpoint.parity().forEach(part -> parts.add(IndexEntry.of(part).toPart()));
        if (!writer.clear(SLOT)) {
            // An older one is being written: this one takes its place later.
            write(checkpoint, name, parts);
            return;
        }
        try {
            writeNow(CheckpointFile.of(checkpoint, parts), name, contentFiles);
            isFailing = false;
        } catch (IOException e) {
            if (!isFailing) {
                LOGGER.log(Level.WARNING, "cannot keep local states in files, and goes on without: " + e);
            }
            isFailing = true;
        }
    }

    private void writeNow(CheckpointFile file, String name, ContentFiles contentFiles) throws IOException {
        IOException failure = new IOException("no place for " + name);
        for (Path directory : directories) {
            Path path = directory.resolve(name);
            try {
                file.write(contentFiles.space(directory), path, false, () -> false);
                for (Path other : paths(name)) {
                    if (!other.equals(path)) {
                        Files.deleteIfExists(other);
                    }
                }
                return;
            } catch (IOException e) {
                e.addSuppressed(failure);
                failure = e;
            }
        }
        throw failure;
    }

    /** Takes over the parts. */
    private void write(Checkpoint checkpoint, String name, List<StatePart> parts) {
        CheckpointFile file = CheckpointFile.of(checkpoint, parts);
        writer.write(new CheckpointWriter.Job(SLOT, paths(name), file, false, () -> {}));
    }

    /** Those in the heap. */
    private static void addStates(CheckpointFile file, List<StatePart> locals) {
        for (StatePart part : file.parts()) {
            if (part.owner() >= 0 && isMissing(locals, part.owner())) {
                part.content().retain();
                locals.add(part);
            }
        }
    }

    private static boolean isMissing(List<StatePart> locals, int owner) {
        return locals.stream().noneMatch(known -> known.owner() == owner);
    }

    /** Those in the heap. */
    private static void addParity(CheckpointFile file, List<ParityPart> parity) {
        try {
            for (ParityPart block : ParityPart.of(file.parts(), file.worldSize())) {
                if (isMissing(parity, block.describe())) {
                    block.content().retain();
                    parity.add(block);
                }
            }
        } catch (IOException e) {
            ignored(file, e);
        }
    }

    private static boolean isMissing(List<ParityPart> parity, CheckpointInventory.ParityBlock block) {
        return parity.stream().noneMatch(known -> known.describe().equals(block));
    }

    /** Those with files of their own. */
    private static void addNamed(
            CheckpointFile file, ContentFiles contentFiles, List<StatePart> locals, List<ParityPart> parity) {
        for (StatePart part : file.parts()) {
            if (part.owner() == IndexEntry.OWNER) {
                try {
                    IndexEntry entry = IndexEntry.read(part, file.worldSize());
                    if (entry instanceof IndexEntry.State state
                            && isMissing(locals, state.local().owner())) {
                        locals.add(state.open(contentFiles, file.id()));
                    } else if (entry instanceof IndexEntry.Block block && isMissing(parity, block.block())) {
                        parity.add(block.open(contentFiles, file.id()));
                    }
                } catch (IOException e) {
                    ignored(file, e);
                }
            }
        }
    }

    /** What cannot be used is as if it was not there. */
    private static void ignored(CheckpointFile file, IOException why) {
        LOGGER.log(
                Level.WARNING,
                "a local state or parity of version " + file.id().version() + " ignored: " + why.getMessage());
    }

    private List<Path> paths(String name) {
        return directories.stream().map(directory -> directory.resolve(name)).toList();
    }

    private String name(CheckpointId id, int localRank) {
        return retention.slot(id.version()) + "." + localRank;
    }
}
