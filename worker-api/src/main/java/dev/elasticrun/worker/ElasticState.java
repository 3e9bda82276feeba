/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.Collective;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state that a run goes on from after a change: committed by all ranks together, kept in the memory of all workers.
 * Used by the thread that runs the loop.
 */
public final class ElasticState {
    private final Snapshotable snapshotable;
    private final byte[] initial;
    private @Nullable Collective collective;
    private Runnable onCommit = () -> {};

    private ElasticState(Snapshotable snapshotable) {
        this.snapshotable = snapshotable;
        this.initial = snapshotable.save();
    }

    /** The object as it is now is the state that is gone back to while nothing is committed. */
    public static ElasticState of(Snapshotable snapshotable) {
        return new ElasticState(snapshotable);
    }

    /** Makes the present state the one to go back to. All ranks call it at the same step. */
    public void commit() {
        collective().checkpoint(snapshotable.save());
        onCommit.run();
    }

    /** Goes back to the last commit, on this rank only. */
    public void restore() {
        snapshotable.restore(collective().loadCheckpoint().orElse(initial));
    }

    /** Commits that the run has made; 0 = none. */
    public long version() {
        return collective == null ? 0 : collective.version();
    }

    /**
     * Brings the object to the state that the collective goes on from: the agreed checkpoint, or, without any, what
     * rank 0 began with. For programs with a loop of their own, first thing after joining.
     */
    public void sync(Collective joined) {
        collective = joined;
        Optional<byte[]> checkpoint = joined.loadCheckpoint();
        snapshotable.restore(checkpoint.isPresent() ? checkpoint.get() : joined.broadcastBytes(initial, 0));
    }

    /** Is run after each commit of this rank. */
    void onCommit(Runnable told) {
        onCommit = told;
    }

    private Collective collective() {
        if (collective == null) {
            throw new IllegalStateException("cannot use the state before it was synced with a collective");
        }
        return collective;
    }
}
