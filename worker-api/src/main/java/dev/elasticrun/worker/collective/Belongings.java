/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/** What a process keeps from round to round. All but the shelf are the user thread's. */
record Belongings(CheckpointShelf shelf, History history, BootstrapTable bootstrap, CommitReports commits) {

    Belongings(ReplayLimits limits, int localReplicas) {
        this(new CheckpointShelf(localReplicas), new History(limits), new BootstrapTable(), new CommitReports());
    }

    Statement statement() {
        return new Statement(history.progress(), bootstrap.index(), shelf.holdings());
    }
}
