/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a run continues after a change: committed by all ranks together, kept in the memory of all
 * workers. Confined to the thread that runs the loop.
 */
public final class ElasticState {
    private static final byte[] NONE = new byte[0];

    private final Snapshotable snapshotable;
    /** Null once there is a commit to go back to: it can be large. */
    private byte @Nullable [] initial;

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
        initial = null;
        onCommit.run();
    }

    /** Goes back to the last commit, on this rank only. */
    public void restore() {
        snapshotable.restore(collective().loadCheckpoint().orElseGet(this::initial));
    }

    /** Commits that the run has made; 0 = none. */
    public long version() {
        return collective == null ? 0 : collective.version();
    }

    /**
     * Sets the object to the state from which the collective continues: the agreed checkpoint, or, without any, the
     * initial state of rank 0. For programs with a loop of their own, first thing after joining.
     */
    public void sync(Collective joined) {
        collective = joined;
        Optional<byte[]> checkpoint = joined.loadCheckpoint();
        byte[] found = checkpoint.isPresent()
                ? checkpoint.get()
                : joined.broadcastBytes(joined.rank() == 0 ? initial() : NONE, 0);
        snapshotable.restore(found);
    }

    /** Is run after each commit of this rank. */
    void onCommit(Runnable told) {
        onCommit = told;
    }

    private byte[] initial() {
        byte[] known = initial;
        if (known == null) {
            throw new IllegalStateException(
                    "cannot begin at version 0 again: what the program began with was let go at the"
                            + " first commit (expected: a new process)");
        }
        return known;
    }

    private Collective collective() {
        if (collective == null) {
            throw new IllegalStateException("cannot use the state before it was synced with a collective");
        }
        return collective;
    }
}
