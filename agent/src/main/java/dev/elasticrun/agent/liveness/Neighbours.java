/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import dev.elasticrun.rendezvous.record.Participant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides to which nodes an agent holds connections. Pure. */
final class Neighbours {
    private Neighbours() {}

    /**
     * The coordinator, and the node after this one in the newest round, the first after the last. So each participant
     * is watched by the coordinator, by its predecessor and by its successor.
     *
     * @param ring participants of the newest round, in rank order
     * @param coordinator null if there is none, or it is this node
     */
    static List<Neighbour> of(String nodeId, List<Participant> ring, @Nullable Neighbour coordinator) {
        List<Neighbour> neighbours = new ArrayList<>();
        if (coordinator != null && !coordinator.nodeId().equals(nodeId)) {
            neighbours.add(coordinator);
        }
        for (int i = 0; i < ring.size(); i++) {
            Participant next = ring.get((i + 1) % ring.size());
            if (ring.get(i).nodeId().equals(nodeId) && !next.nodeId().equals(nodeId)) {
                neighbours.removeIf(held -> held.nodeId().equals(next.nodeId()));
                neighbours.add(Neighbour.of(next.spec()));
            }
        }
        return neighbours;
    }
}
