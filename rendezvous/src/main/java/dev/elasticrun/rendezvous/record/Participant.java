/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;

/**
 * A node in a sealed round.
 *
 * @param createRevision create revision of the node's key: a key that came back is another registration of the node
 * @param generation the worker group that has these ranks
 * @param firstRank rank of slot 0; the others follow
 * @param workerPorts data-plane port per slot
 */
public record Participant(
        NodeSpec spec, long createRevision, int generation, int firstRank, List<Integer> workerPorts) {

    public Participant {
        workerPorts = List.copyOf(workerPorts);
    }

    public String nodeId() {
        return spec.nodeId();
    }

    public int slots() {
        return spec.slots();
    }

    public Participant withFirstRank(int rank) {
        return new Participant(spec, createRevision, generation, rank, workerPorts);
    }
}
