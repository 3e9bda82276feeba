/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** A round as its workers see it. Pure. */
public final class WorkerInfos {
    private WorkerInfos() {}

    /**
     * The place of one worker of a node of the round.
     *
     * @param runtime the values of the run's runtime for the worker of a rank
     */
    public static WorkerInfo of(Round round, String nodeId, int slot, IntFunction<Map<String, String>> runtime) {
        int groupRank = 0;
        int roleBefore = 0;
        int roleWorldSize = 0;
        Participant own = round.participant(nodeId).orElseThrow();
        for (Participant participant : round.participants()) {
            boolean before = participant.firstRank() < own.firstRank();
            groupRank += before ? 1 : 0;
            if (participant.spec().role().equals(own.spec().role())) {
                roleWorldSize += participant.slots();
                roleBefore += before ? participant.slots() : 0;
            }
        }
        return new WorkerInfo(
                round.number(),
                round.world(),
                new WorkerInfo.Ranks(
                        new WorkerInfo.Place(slot, own.slots()),
                        new WorkerInfo.Place(own.firstRank() + slot, round.worldSize()),
                        new WorkerInfo.Place(roleBefore + slot, roleWorldSize),
                        new WorkerInfo.Place(groupRank, round.participants().size())),
                own.spec().role(),
                new WorkerInfo.Master(round.master().address(), round.master().port()),
                runtime.apply(own.firstRank() + slot));
    }

    public static PeerTable peers(Round round) {
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (Participant participant : round.participants()) {
            for (int slot = 0; slot < participant.slots(); slot++) {
                peers.add(new PeerTable.Peer(
                        participant.firstRank() + slot,
                        participant.nodeId(),
                        participant.spec().address(),
                        participant.workerPorts().get(slot)));
            }
        }
        return new PeerTable(round.number(), peers);
    }
}
