/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.control.CommandDesk.UnansweredException;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.WorkerView;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;

/** Where the worker with a rank is. */
sealed interface RankPlace {
    /** A worker of this node, which runs. */
    record Here(WorkerView worker, long round) implements RankPlace {}

    /** A worker of another node. */
    record Elsewhere(Neighbour owner, byte[] runKey) implements RankPlace {}

    /**
     * Pure.
     *
     * @param here whether the worker must be this node's
     * @throws UnansweredException when no worker has the rank, or not here, or when it does not run
     */
    static RankPlace of(AgentState state, int rank, String nodeId, boolean here) {
        Round round = state.round();
        RunIdentity identity = state.identity();
        if (round == null || identity == null || round.worldSize() == 0) {
            throw new UnansweredException("no worker has a rank: there is no round");
        }
        Participant owner = round.participants().stream()
                .filter(place -> place.hasRank(rank))
                .findFirst()
                .orElseThrow(() -> new UnansweredException("rank: " + rank + " (expected: below " + round.worldSize()
                        + ", in round " + round.number() + ")"));
        if (!owner.nodeId().equals(nodeId)) {
            if (here) {
                throw new UnansweredException("rank " + rank + " is a worker of " + owner.nodeId() + " now");
            }
            return new Elsewhere(Neighbour.of(owner.spec()), identity.runKey());
        }
        WorkerView worker = state.group().workers().get(owner.seatOf(rank).slot());
        if (worker.pid() == 0 || worker.exitCode() != null) {
            throw new UnansweredException("worker " + worker.slot() + " of " + nodeId + " does not run");
        }
        return new Here(worker, round.number());
    }
}
