/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/** How a program's object becomes a state of this rank alone, beside a global one, and back. Of the thread of the loop. */
sealed interface LocalForm {
    /** Makes a checkpoint of a global state and of this one. */
    void commit(Collective collective, byte[] global);

    /** Makes a checkpoint of a global state and of this one. */
    void commit(Collective collective, StreamedSnapshot global);

    /** Sets the object to the local state of the newest checkpoint; false = this rank has none, and the object is as it was. */
    boolean load(Collective collective);

    /** Ranks have no local states. */
    final class None implements LocalForm {
        @Override
        public void commit(Collective collective, byte[] global) {
            collective.checkpoint(global);
        }

        @Override
        public void commit(Collective collective, StreamedSnapshot global) {
            collective.checkpoint(global);
        }

        @Override
        public boolean load(Collective collective) {
            return false;
        }
    }

    /** As one array. */
    record Whole(Snapshotable local) implements LocalForm {
        @Override
        public void commit(Collective collective, byte[] global) {
            collective.checkpoint(global, local.save());
        }

        @Override
        public void commit(Collective collective, StreamedSnapshot global) {
            collective.checkpoint(global, local.save());
        }

        @Override
        public boolean load(Collective collective) {
            return collective
                    .loadLocal()
                    .map(saved -> {
                        local.restore(saved);
                        return true;
                    })
                    .orElse(false);
        }
    }

    /** Block by block. */
    record Streamed(StreamedSnapshot local) implements LocalForm {
        @Override
        public void commit(Collective collective, byte[] global) {
            collective.checkpoint(global, local);
        }

        @Override
        public void commit(Collective collective, StreamedSnapshot global) {
            collective.checkpoint(global, local);
        }

        @Override
        public boolean load(Collective collective) {
            return collective.loadLocal(local);
        }
    }
}
