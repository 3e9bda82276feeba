/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a run continues after a change: committed by all ranks together, kept in the memory of all
 * workers, or in the files of all nodes if it is streamed. Confined to the thread that runs the loop.
 *
 * <p>A program makes one, of an object that implements {@link Snapshotable} or {@link StreamedSnapshot}, passes it to
 * {@link ElasticLoop#run(ElasticState, ElasticLoop.Body)}, and commits in the loop's body. {@link #withLocal(Snapshotable)} adds a
 * state that is each rank's own:
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticLoop;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.ElasticState;
 * import dev.elasticrun.worker.Snapshotable;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import java.nio.ByteBuffer;
 *
 * public final class RowsAndSum {
 *     private static final class Count implements Snapshotable {
 *         private long value;
 *
 *         @Override
 *         public byte[] save() {
 *             return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
 *         }
 *
 *         @Override
 *         public void restore(byte[] snapshot) {
 *             value = ByteBuffer.wrap(snapshot).getLong();
 *         }
 *     }
 *
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> {
 *             Count sum = new Count();                            // the same on all ranks
 *             Count rows = new Count();                           // each rank's own
 *             ElasticState state = ElasticState.of(sum).withLocal(rows);
 *             ElasticLoop.run(state, collective -> {
 *                 if (!state.isLocalRestored()) {                 // the rank is new, or its state is lost
 *                     rows.value = 0;
 *                 }
 *                 for (byte[] left : collective.orphanedLocals().values()) {
 *                     rows.value += ByteBuffer.wrap(left).getLong();   // of a rank that is gone
 *                 }
 *                 while (sum.value < 1000) {
 *                     long[] added = {1};
 *                     rows.value += added[0];
 *                     collective.allReduce(added, ReduceOp.SUM);
 *                     sum.value += added[0];
 *                     state.commit();
 *                 }
 *             });
 *         });
 *     }
 * }
 * }</pre>
 */
public final class ElasticState {
    private final StateForm form;
    private final LocalForm local;
    /** Null = the state is of one loop. */
    private final @Nullable LoopMarker marker;

    private @Nullable Collective collective;
    private boolean isLocalRestored;
    private Runnable onCommit = () -> {};

    private ElasticState(StateForm form, LocalForm local, @Nullable LoopMarker marker) {
        this.form = form;
        this.local = local;
        this.marker = marker;
    }

    /** The object as it is now is the state that is gone back to while nothing is committed. */
    public static ElasticState of(Snapshotable snapshotable) {
        return new ElasticState(new StateForm.Whole(snapshotable, false), new LocalForm.None(), null);
    }

    /**
     * A state of any size, which is in no worker's heap. The object as it is when the state is synced with a collective that
     * has no checkpoint yet is committed then, as version 1: it must be the same on all ranks.
     */
    public static ElasticState of(StreamedSnapshot snapshot) {
        return new ElasticState(new StateForm.Streamed(snapshot), new LocalForm.None(), null);
    }

    /**
     * A state that is written down only when a peer must be given it, or a file is due, as {@link Collective#lazyCheckpoint}. A
     * commit costs an agreement, and no copy. What {@link Snapshotable#save} returns may change only between the last operation
     * before a commit and the commit: a step that calls the collective, then changes the object, then commits is right.
     */
    public static ElasticState lazy(Snapshotable snapshotable) {
        return new ElasticState(new StateForm.Whole(snapshotable, true), new LocalForm.None(), null);
    }

    /**
     * As this state, with one beside it that is each rank's own, as {@link Collective#checkpoint(byte[], byte[])}: other workers keep
     * copies or parity of it. The bytes that the local object returns may differ from rank to rank. Every commit commits both.
     *
     * <p>Each time the body is entered, {@link #isLocalRestored} states whether the local object is what it was at the last
     * commit. Where it is not, the object is as it happens to be, and the body makes it anew: before the first commit, on a rank
     * that is new in the world, and where all copies are lost. In the last case {@link Collective#lostLocals} returns the ranks, and
     * the agent records {@code state.local_lost}; {@code --on-state-loss fail} ends the run instead. States whose ranks are gone are
     * offered by {@link Collective#orphanedLocals} or {@link Collective#loadOrphanedLocal}.
     *
     * @throws IllegalStateException if this state is lazy, is of several loops, or has a local one
     */
    public ElasticState withLocal(Snapshotable own) {
        return with(new LocalForm.Whole(own));
    }

    /** As {@link #withLocal(Snapshotable)}, of any size. */
    public ElasticState withLocal(StreamedSnapshot own) {
        return with(new LocalForm.Streamed(own));
    }

    /**
     * As this state, for several loops of a process, one after the other: see {@link ElasticLoop}. Its checkpoints contain which
     * loop they are of, so they are no checkpoints for the same program without this.
     *
     * @throws IllegalStateException if this state has a local one
     */
    public ElasticState acrossLoops() {
        if (!(local instanceof LocalForm.None)) {
            throw new IllegalStateException("cannot keep a local state across loops (expected: a state without one)");
        }
        LoopMarker loops = new LoopMarker();
        return new ElasticState(form.marked(loops), local, loops);
    }

    /** Makes the present state the one to go back to. All ranks call it at the same step. */
    public void commit() {
        form.commit(collective(), local);
        onCommit.run();
    }

    /** Goes back to the last commit, on this rank only. */
    public void restore() {
        Collective joined = collective();
        if (isAtBegin(newestMark(joined)) || !form.load(joined)) {
            form.beginAgain();
        }
        isLocalRestored = local.load(joined);
    }

    /** Commits that the run has made; 0 = none. */
    public long version() {
        return collective == null ? 0 : collective.version();
    }

    /** Whether the local object is what it was at the last commit. False without {@link #withLocal(Snapshotable)}, too. */
    public boolean isLocalRestored() {
        return isLocalRestored;
    }

    /**
     * Sets the object to the state from which the collective continues: the agreed checkpoint, or, without any, the
     * initial state of rank 0, or that which is committed now. For programs with a loop of their own, first thing after joining.
     */
    public void sync(Collective joined) {
        enter(joined);
    }

    /** As {@link #sync}. Returns false if the loop has ended where the checkpoint was made: its body is not to be entered. */
    boolean enter(Collective joined) {
        collective = joined;
        Optional<LoopMark> newest = newestMark(joined);
        if (isAtBegin(newest) || !form.load(joined)) {
            form.begin(joined);
        }
        isLocalRestored = local.load(joined);
        return marker == null || !marker.isPast(newest);
    }

    boolean isAcrossLoops() {
        return marker != null;
    }

    /** A loop of that number begins in this process, or is tried again. */
    void beginLoop(long loop) {
        if (marker != null && marker.loop() != loop) {
            marker.begin(loop);
            form.beginsHere();
        }
    }

    /** The loop's body has returned: all ranks commit that, in one operation, after which workers may end. */
    void endLoop() {
        if (marker == null) {
            return;
        }
        marker.end();
        boolean hasEnded = false;
        try {
            collective().lastly(() -> form.commitNow(collective(), local));
            hasEnded = true;
        } finally {
            if (!hasEnded) {
                marker.resume();
            }
        }
        onCommit.run();
    }

    /** Is run after each commit of this rank. */
    void onCommit(Runnable listener) {
        onCommit = listener;
    }

    private Optional<LoopMark> newestMark(Collective joined) {
        return marker == null ? Optional.empty() : LoopMark.of(joined);
    }

    private boolean isAtBegin(Optional<LoopMark> newest) {
        return marker != null && marker.isAtBegin(newest);
    }

    private ElasticState with(LocalForm own) {
        boolean isLazy = form instanceof StateForm.Whole whole && whole.isLazy();
        if (isLazy || marker != null || !(local instanceof LocalForm.None)) {
            throw new IllegalStateException(
                    "cannot add a local state to this one (expected: a state that is not lazy, is"
                            + " of one loop, and has no local one)");
        }
        return new ElasticState(form, own, null);
    }

    private Collective collective() {
        if (collective == null) {
            throw new IllegalStateException("cannot use the state before it was synced with a collective");
        }
        return collective;
    }
}
