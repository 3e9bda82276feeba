/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints that this process holds: the two newest committed ones, and the one that is being agreed on. Locked,
 * because the channel thread asks for the version and closes rounds while the user thread commits.
 */
final class CheckpointShelf {
    private static final int KEPT = 2;

    private final ContentPool pool = new ContentPool();
    private final List<Checkpoint> committed = new ArrayList<>();
    private @Nullable Checkpoint staged;
    private long startedRound;
    private boolean isLoaded;

    /** Takes what an earlier process of this node left; only the first call does anything. */
    synchronized void load(NodeFiles files, String incarnation) {
        if (!isLoaded) {
            isLoaded = true;
            for (CheckpointFile file : files.read(incarnation, pool)) {
                committed.add(new Checkpoint(
                        file.id(), file.worldSize(), file.parts().get(0).content()));
            }
        }
    }

    /** Where contents come from and go back to. */
    ContentPool pool() {
        return pool;
    }

    synchronized Holdings holdings() {
        List<Holdings.Copy> copies = new ArrayList<>();
        for (Checkpoint checkpoint : committed) {
            copies.add(new Holdings.Copy(checkpoint.id(), checkpoint.content().length(), false));
        }
        if (staged != null) {
            copies.add(new Holdings.Copy(staged.id(), staged.content().length(), true));
        }
        return new Holdings(startedRound, copies);
    }

    synchronized void stage(Checkpoint checkpoint) {
        dropStaged();
        staged = checkpoint;
    }

    synchronized boolean hasStaged() {
        return staged != null;
    }

    /** The staged one becomes the newest. */
    synchronized void commit() {
        Checkpoint checkpoint = Objects.requireNonNull(staged, "staged");
        staged = null;
        add(checkpoint);
    }

    synchronized Optional<Checkpoint> find(CheckpointId id) {
        if (staged != null && staged.id().equals(id)) {
            return Optional.of(staged);
        }
        return committed.stream().filter(held -> held.id().equals(id)).findFirst();
    }

    /**
     * The round starts here: whatever is newer, or of another history, never happened. Takes over the agreed one, unless
     * it is already here.
     */
    synchronized void startFrom(long round, Optional<Checkpoint> agreed) {
        startedRound = round;
        if (staged != null && agreed.isPresent() && staged.equals(agreed.get())) {
            staged = null;
        }
        dropStaged();
        if (agreed.isEmpty()) {
            committed.forEach(Checkpoint::release);
            committed.clear();
            return;
        }
        Checkpoint start = agreed.get();
        for (Checkpoint held : List.copyOf(committed)) {
            if (held.id().version() >= start.id().version()) {
                committed.remove(held);
                if (!held.equals(start)) {
                    held.release();
                }
            }
        }
        add(start);
    }

    private void add(Checkpoint checkpoint) {
        committed.add(0, checkpoint);
        while (committed.size() > KEPT) {
            committed.remove(committed.size() - 1).release();
        }
    }

    private void dropStaged() {
        if (staged != null) {
            staged.release();
            staged = null;
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
