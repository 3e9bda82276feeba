/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import org.jspecify.annotations.Nullable;

/** How a program's object becomes a state that the collective keeps, and back. Confined to the thread of the loop. */
sealed interface StateForm {
    /** Makes the present state the one to go back to. */
    void commit(Collective collective);

    /** Goes back to the last commit. */
    void restore(Collective collective);

    /** Sets the object to the state from which the collective continues. All ranks call it. */
    void sync(Collective collective);

    /** As one array. */
    final class Whole implements StateForm {
        private static final byte[] NONE = new byte[0];

        private final Snapshotable snapshotable;
        /** Null once there is a commit to go back to: it can be large. */
        private byte @Nullable [] initial;

        Whole(Snapshotable snapshotable) {
            this.snapshotable = snapshotable;
            this.initial = snapshotable.save();
        }

        @Override
        public void commit(Collective collective) {
            collective.checkpoint(snapshotable.save());
            initial = null;
        }

        @Override
        public void restore(Collective collective) {
            snapshotable.restore(collective.loadCheckpoint().orElseGet(this::initial));
        }

        @Override
        public void sync(Collective collective) {
            snapshotable.restore(collective
                    .loadCheckpoint()
                    .orElseGet(() -> collective.broadcastBytes(collective.rank() == 0 ? initial() : NONE, 0)));
        }

        private byte[] initial() {
            byte[] known = initial;
            if (known == null) {
                throw cannotBeginAgain();
            }
            return known;
        }
    }

    /** Block by block. What the program begins with is the first commit. */
    final class Streamed implements StateForm {
        private final StreamedSnapshot snapshot;
        private boolean hasBegun;

        Streamed(StreamedSnapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public void commit(Collective collective) {
            collective.checkpoint(snapshot);
        }

        @Override
        public void restore(Collective collective) {
            if (!collective.loadCheckpoint(snapshot)) {
                throw cannotBeginAgain();
            }
        }

        @Override
        public void sync(Collective collective) {
            if (!collective.loadCheckpoint(snapshot)) {
                if (hasBegun) {
                    throw cannotBeginAgain();
                }
                collective.checkpoint(snapshot);
            }
            hasBegun = true;
        }
    }

    private static IllegalStateException cannotBeginAgain() {
        return new IllegalStateException(
                "cannot begin at version 0 again: what the program began with was let go at the"
                        + " first commit (expected: a new process)");
    }
}
