/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import org.jspecify.annotations.Nullable;

/**
 * The state from which a run continues after a change: committed by all ranks together, kept in the memory of all
 * workers, or in the files of all nodes if it is streamed. Confined to the thread that runs the loop.
 */
public final class ElasticState {
    private final StateForm form;
    private @Nullable Collective collective;
    private Runnable onCommit = () -> {};

    private ElasticState(StateForm form) {
        this.form = form;
    }

    /** The object as it is now is the state that is gone back to while nothing is committed. */
    public static ElasticState of(Snapshotable snapshotable) {
        return new ElasticState(new StateForm.Whole(snapshotable));
    }

    /**
     * A state of any size, which is in no worker's heap. The object as it is when the state is synced with a collective that
     * has no checkpoint yet is committed then, as version 1: it must be the same on all ranks.
     */
    public static ElasticState of(StreamedSnapshot snapshot) {
        return new ElasticState(new StateForm.Streamed(snapshot));
    }

    /** Makes the present state the one to go back to. All ranks call it at the same step. */
    public void commit() {
        form.commit(collective());
        onCommit.run();
    }

    /** Goes back to the last commit, on this rank only. */
    public void restore() {
        form.restore(collective());
    }

    /** Commits that the run has made; 0 = none. */
    public long version() {
        return collective == null ? 0 : collective.version();
    }

    /**
     * Sets the object to the state from which the collective continues: the agreed checkpoint, or, without any, the
     * initial state of rank 0, or that which is committed now. For programs with a loop of their own, first thing after joining.
     */
    public void sync(Collective joined) {
        collective = joined;
        form.sync(joined);
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
