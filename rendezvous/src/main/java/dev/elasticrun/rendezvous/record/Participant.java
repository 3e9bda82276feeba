/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;

/**
 * A node in a sealed round.
 *
 * @param controlPort port of the agent's control service
 * @param createRevision create revision of the node's key: a key that came back is another life of the node
 * @param generation the worker group that has these ranks
 * @param firstRank rank of slot 0; the others follow
 * @param workerPorts data-plane port per slot
 */
public record Participant(
        String nodeId,
        String hostLabel,
        String address,
        int controlPort,
        String role,
        long createRevision,
        int generation,
        int firstRank,
        int slots,
        List<Integer> workerPorts) {

    public Participant {
        workerPorts = List.copyOf(workerPorts);
    }

    public Participant withFirstRank(int rank) {
        return new Participant(
                nodeId, hostLabel, address, controlPort, role, createRevision, generation, rank, slots, workerPorts);
    }
}
