/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;

/** Makes the file of a local state that the program writes as a stream. User thread. */
public final class LocalStream {
    private final CheckpointStore checkpointStore;

    public LocalStream(CheckpointStore checkpointStore) {
        this.checkpointStore = checkpointStore;
    }

    /**
     * Has the program write the state, once. Returns the part of the checkpoint, which is the caller's.
     *
     * @throws IOException what the program threw, or why the file cannot be written
     */
    public StatePart write(StateWriter state, CheckpointId id, int rank) throws IOException {
        // States seldom shrink.
        long expected = checkpointStore.newestLocalBytes();
        try (LocalFile file = LocalFile.create(checkpointStore.contentFiles(), id, expected)) {
            StateOutput out = new StateOutput(file.file(), file.begin());
            state.write(out);
            out.finish();
            return new StatePart(rank, rank, true, out.digest(), file.content(out.length()));
        }
    }
}
