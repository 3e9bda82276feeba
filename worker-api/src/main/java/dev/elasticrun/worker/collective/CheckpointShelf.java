/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints that this process holds: the two newest committed ones, and the one that is being agreed on. Locked,
 * because the channel thread asks for the version and closes rounds while the user thread commits.
 */
final class CheckpointShelf {
    private static final int KEPT = 2;

    private final List<Checkpoint> committed = new ArrayList<>();
    private @Nullable Checkpoint staged;
    private long startedRound;
    private boolean isLoaded;

    /** Takes what an earlier process of this node left; only the first call does anything. */
    synchronized void load(Path directory, String incarnation) {
        if (!isLoaded) {
            isLoaded = true;
            committed.addAll(CheckpointFile.read(directory, incarnation));
        }
    }

    synchronized Holdings holdings() {
        List<Holdings.Copy> copies = new ArrayList<>();
        for (Checkpoint checkpoint : committed) {
            copies.add(new Holdings.Copy(checkpoint.id(), checkpoint.content().length, false));
        }
        if (staged != null) {
            copies.add(new Holdings.Copy(staged.id(), staged.content().length, true));
        }
        return new Holdings(startedRound, copies);
    }

    synchronized void stage(Checkpoint checkpoint) {
        staged = checkpoint;
    }

    synchronized boolean hasStaged() {
        return staged != null;
    }

    synchronized void commit(Checkpoint checkpoint) {
        staged = null;
        committed.add(0, checkpoint);
        while (committed.size() > KEPT) {
            committed.remove(committed.size() - 1);
        }
    }

    synchronized Optional<Checkpoint> find(CheckpointId id) {
        if (staged != null && staged.id().equals(id)) {
            return Optional.of(staged);
        }
        return committed.stream().filter(held -> held.id().equals(id)).findFirst();
    }

    /** The round starts here: whatever is newer, or of another history, never happened. */
    synchronized void startFrom(long round, Optional<Checkpoint> agreed) {
        staged = null;
        startedRound = round;
        if (agreed.isEmpty()) {
            committed.clear();
            return;
        }
        CheckpointId id = agreed.get().id();
        committed.removeIf(held -> held.id().version() >= id.version());
        committed.add(0, agreed.get());
        while (committed.size() > KEPT) {
            committed.remove(committed.size() - 1);
        }
    }

    /** The newest committed one. */
    synchronized Optional<Checkpoint> newest() {
        return committed.stream().findFirst();
    }

    synchronized long version() {
        return committed.isEmpty() ? 0 : committed.get(0).id().version();
    }
}
