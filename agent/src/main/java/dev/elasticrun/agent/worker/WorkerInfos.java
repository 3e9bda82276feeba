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
        int rank = own.rank(slot).orElseThrow();
        for (Participant participant : round.participants()) {
            boolean before = participant.firstRank() < own.firstRank();
            groupRank += before ? 1 : 0;
            if (participant.spec().role().equals(own.spec().role())) {
                roleWorldSize += participant.size();
                roleBefore += before ? participant.size() : 0;
            }
        }
        return new WorkerInfo(
                round.number(),
                round.world(),
                new WorkerInfo.Ranks(
                        new WorkerInfo.Place(rank - own.firstRank(), own.size()),
                        new WorkerInfo.Place(rank, round.worldSize()),
                        new WorkerInfo.Place(roleBefore + rank - own.firstRank(), roleWorldSize),
                        new WorkerInfo.Place(groupRank, round.participants().size())),
                own.spec().role(),
                new WorkerInfo.Master(round.master().address(), round.master().port()),
                runtime.apply(rank));
    }

    public static PeerTable peers(Round round) {
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (Participant participant : round.participants()) {
            for (int rank = participant.firstRank(); rank < participant.endRank(); rank++) {
                peers.add(new PeerTable.Peer(
                        rank,
                        participant.nodeId(),
                        participant.spec().address(),
                        participant.seatOf(rank).port()));
            }
        }
        return new PeerTable(round.number(), peers);
    }
}
