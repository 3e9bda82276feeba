/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.rendezvous.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The connections that agents hold to the coordinator's, and what their end proves. */
final class SimulatedControl {
    private final SimulatedCluster cluster;
    private final Map<String, Hold> holds = new TreeMap<>();

    private static final class Hold {
        private final SimulatedNode holder;
        private final NodeRecord coordinator;
        private boolean accepted;

        private Hold(SimulatedNode holder, NodeRecord coordinator) {
            this.holder = holder;
            this.coordinator = coordinator;
        }
    }

    SimulatedControl(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void hold(SimulatedNode holder, @Nullable NodeRecord coordinator) {
        holds.remove(holder.nodeId);
        if (coordinator != null) {
            Hold hold = new Hold(holder, coordinator);
            holds.put(holder.nodeId, hold);
            cluster.time.after(
                    cluster.millis(1, 10),
                    () -> hold.accepted = cluster.node(coordinator.nodeId())
                            .filter(SimulatedNode::alive)
                            .isPresent());
        }
    }

    /** Word for the coordinator: mostly at once, sometimes late and overtaken, sometimes never. */
    void tellCoordinator(SimulatedNode speaker, byte[] record) {
        Hold hold = holds.get(speaker.nodeId);
        int chance = cluster.random.nextInt(20);
        if (hold == null || !hold.accepted || chance == 0) {
            return;
        }
        cluster.node(hold.coordinator.nodeId())
                .ifPresent(coordinator -> coordinator.loop.outside(
                        chance == 1 ? cluster.millis(50, 3000) : cluster.millis(1, 4),
                        () -> coordinator.agent().hear(record)));
    }

    void goodbye(SimulatedNode node) {
        holds.remove(node.nodeId);
        holds.values().removeIf(hold -> hold.coordinator.nodeId().equals(node.nodeId));
    }

    /** A process was killed on a host that lives: its connections end, and its address refuses. */
    void died(SimulatedNode dead) {
        Hold own = holds.remove(dead.nodeId);
        for (Hold hold : List.copyOf(holds.values())) {
            if (hold.coordinator.nodeId().equals(dead.nodeId)) {
                holds.remove(hold.holder.nodeId);
                if (hold.accepted) {
                    hold.holder.loop.outside(
                            cluster.millis(1, 12), () -> hold.holder.agent().proveDead(hold.coordinator));
                }
            }
        }
        if (own != null && own.accepted) {
            cluster.node(own.coordinator.nodeId())
                    .ifPresent(coordinator -> coordinator.loop.outside(
                            cluster.millis(1, 12),
                            () -> coordinator.agent().lookUp(dead.nodeId, coordinator.agent()::proveDead)));
        }
    }

    /** A host is gone without a word. */
    void vanished(SimulatedNode dead) {
        holds.remove(dead.nodeId);
        holds.values().removeIf(hold -> hold.coordinator.nodeId().equals(dead.nodeId));
    }
}
