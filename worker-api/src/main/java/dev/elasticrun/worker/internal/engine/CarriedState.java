/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.internal.bootstrap.BootstrapTable;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.ContentFiles;
import dev.elasticrun.worker.internal.replay.OperationLog;
import dev.elasticrun.worker.internal.replay.ReplayLimits;

/** What a process keeps from round to round. All but the checkpoint store are the user thread's. */
public record CarriedState(
        CheckpointStore checkpointStore, OperationLog history, BootstrapTable bootstrap, CommitReports commits) {

    public CarriedState(ReplayLimits limits, int contentsOfOthers, ContentFiles contentFiles) {
        this(
                new CheckpointStore(contentsOfOthers, contentFiles),
                new OperationLog(limits),
                new BootstrapTable(),
                new CommitReports());
    }

    PeerState peerState() {
        return new PeerState(history.progress(), bootstrap.index(), checkpointStore.inventory());
    }
}
