/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/** What a process keeps from round to round. All but the shelf are the user thread's. */
record CarriedState(
        CheckpointStore checkpointStore, OperationLog history, BootstrapTable bootstrap, CommitReports commits) {

    CarriedState(ReplayLimits limits, int localReplicas) {
        this(new CheckpointStore(localReplicas), new OperationLog(limits), new BootstrapTable(), new CommitReports());
    }

    PeerState peerState() {
        return new PeerState(history.progress(), bootstrap.index(), checkpointStore.inventory());
    }
}
