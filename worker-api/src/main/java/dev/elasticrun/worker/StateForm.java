/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import org.jspecify.annotations.Nullable;

/** How a program's object becomes a state that the collective keeps, and back. Confined to the thread of the loop. */
sealed interface StateForm {
    /** Makes the present state the one to go back to, beside a local one. */
    void commit(Collective collective, LocalForm local);

    /** As {@link #commit}, of a state that the program may change before the next commit, in whatever form. */
    void commitNow(Collective collective, LocalForm local);

    /** Sets the object to the newest checkpoint, on this rank only; false = there is none. */
    boolean load(Collective collective);

    /** The object as it is now is what a loop begins with. */
    void beginsHere();

    /** Sets the object to what a loop begins with, on this rank only. */
    void beginAgain();

    /** Sets the object to what a loop begins with. All ranks call it. */
    void begin(Collective collective);

    /** The same with the loop's number before the state. */
    StateForm marked(LoopMarker marker);

    /** As one array. */
    final class Whole implements StateForm {
        private static final byte[] NONE = new byte[0];

        private final Snapshotable snapshotable;
        private final boolean isLazy;
        /** Null once there is a commit to go back to: it can be large. */
        private byte @Nullable [] initial;

        /** @param isLazy whether it is written down only when a peer needs it; then there is no local state */
        Whole(Snapshotable snapshotable, boolean isLazy) {
            this.snapshotable = snapshotable;
            this.isLazy = isLazy;
            this.initial = snapshotable.save();
        }

        boolean isLazy() {
            return isLazy;
        }

        @Override
        public void commit(Collective collective, LocalForm local) {
            if (isLazy) {
                collective.lazyCheckpoint(snapshotable::save);
            } else {
                local.commit(collective, snapshotable.save());
            }
            initial = null;
        }

        @Override
        public void commitNow(Collective collective, LocalForm local) {
            local.commit(collective, snapshotable.save());
            initial = null;
        }

        @Override
        public boolean load(Collective collective) {
            return collective
                    .loadCheckpoint()
                    .map(saved -> {
                        snapshotable.restore(saved);
                        return true;
                    })
                    .orElse(false);
        }

        @Override
        public void beginsHere() {
            initial = snapshotable.save();
        }

        @Override
        public void beginAgain() {
            snapshotable.restore(initial());
        }

        @Override
        public void begin(Collective collective) {
            snapshotable.restore(collective.broadcastBytes(collective.rank() == 0 ? initial() : NONE, 0));
        }

        @Override
        public StateForm marked(LoopMarker marker) {
            return new Whole(marker.around(snapshotable), isLazy);
        }

        private byte[] initial() {
            byte[] known = initial;
            if (known == null) {
                throw cannotBeginAgain();
            }
            return known;
        }
    }

    /** Block by block. What a loop begins with is its first commit. */
    final class Streamed implements StateForm {
        private final StreamedSnapshot snapshot;
        private boolean hasBegun;

        Streamed(StreamedSnapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public void commit(Collective collective, LocalForm local) {
            local.commit(collective, snapshot);
        }

        @Override
        public void commitNow(Collective collective, LocalForm local) {
            commit(collective, local);
        }

        @Override
        public boolean load(Collective collective) {
            boolean isThere = collective.loadCheckpoint(snapshot);
            hasBegun |= isThere;
            return isThere;
        }

        @Override
        public void beginsHere() {
            hasBegun = false;
        }

        @Override
        public void beginAgain() {
            throw cannotBeginAgain();
        }

        @Override
        public void begin(Collective collective) {
            if (hasBegun) {
                throw cannotBeginAgain();
            }
            collective.checkpoint(snapshot);
            hasBegun = true;
        }

        @Override
        public StateForm marked(LoopMarker marker) {
            return new Streamed(marker.around(snapshot));
        }
    }

    private static IllegalStateException cannotBeginAgain() {
        return new IllegalStateException(
                "cannot begin at version 0 again: what the program began with was let go at the"
                        + " first commit (expected: a new process)");
    }
}
