/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.agent.control.ControlPeer;
import dev.elasticrun.agent.control.SimulatedLinks;
import java.time.Duration;
import java.util.Optional;

/** The network between the agents of a run. */
final class SimulatedControl implements SimulatedLinks.Wires {
    private final SimulatedCluster cluster;
    private final SimulatedLinks links;

    SimulatedControl(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.links = new SimulatedLinks(cluster.time, this);
    }

    SimulatedLinks.End open(SimulatedNode node, ControlPeer agent) {
        return links.open(node.nodeId, node.address(), node.loop, agent);
    }

    @Override
    public boolean linked(String oneNode, String otherNode) {
        return cluster.mesh.linked(oneNode, otherNode);
    }

    @Override
    public Duration delay() {
        return cluster.millis(1, 5);
    }

    @Override
    public Optional<Duration> wordDelay() {
        int chance = cluster.random.nextInt(20);
        return chance == 0 ? Optional.empty() : Optional.of(chance == 1 ? cluster.millis(50, 3000) : Duration.ZERO);
    }

    /** A process ended on a host that lives: its connections end, and its address refuses. */
    void died(SimulatedNode dead) {
        links.died(dead.nodeId);
    }

    /** A host is gone without a word. */
    void vanished(SimulatedNode dead) {
        links.vanished(dead.nodeId);
    }

    /** Connections end although the processes at both ends live. */
    void reset(SimulatedNode node) {
        links.reset(node.nodeId);
    }
}
