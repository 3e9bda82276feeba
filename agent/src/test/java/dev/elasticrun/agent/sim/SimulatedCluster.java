/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.rendezvous.codec.StoredRecords;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** What the nodes of one simulated run share. */
final class SimulatedCluster {
    static final Duration PEER_TIMEOUT = Duration.ofSeconds(4);
    static final Duration PAUSE_TIMEOUT = Duration.ofSeconds(3);
    static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

    final SimulatedTime time;
    final Random random;
    final SimulatedStore store;
    final RendezvousConfig config;
    final RestartPolicyStrategy strategy;
    final RunInvariants invariants;
    final SimulatedMesh mesh;
    final SimulatedCheckpoints checkpoints;
    final SimulatedControl control;
    final SeenTransitions transitions = new SeenTransitions();
    final List<SimulatedNode> nodes = new ArrayList<>();
    /** What coordinators recorded of their decisions, in order. */
    final List<PlannerCall> decisions = new ArrayList<>();
    /** Workers under {@code hard} that know nothing of the library: they fail when they lose a peer. */
    final boolean plainWorkers;

    int lossPerMille;
    int startFailuresPerMille;
    /** All work is done: whoever is complete ends. */
    boolean finishing;

    /** Agents that had joined a run which their store has lost, by node id; and when that was. */
    final Map<String, SimulatedNode> replaced = new TreeMap<>();

    long replacedNanos;

    /** Workers of each node beyond its slots. */
    final int spares;

    private int ports = 1024;

    SimulatedCluster(
            SimulatedTime time,
            Random random,
            SimulatedStore store,
            RendezvousConfig config,
            RestartPolicyStrategy strategy,
            long seed) {
        this.time = time;
        this.random = random;
        this.store = store;
        this.config = config;
        this.strategy = strategy;
        this.plainWorkers = !strategy.workersOutliveRounds() && random.nextBoolean();
        this.spares = strategy.waitsForWorkers() || (strategy.elasticWorkers() && seed % 3 == 0) ? 1 : 0;
        this.mesh = new SimulatedMesh(this);
        this.checkpoints = new SimulatedCheckpoints(this, seed);
        this.control = new SimulatedControl(this);
        this.invariants = new RunInvariants(this);
        store.observe(invariants);
    }

    boolean soft() {
        return strategy.workersOutliveRounds();
    }

    int reservePort() {
        return ports++;
    }

    Duration millis(int from, int to) {
        return Duration.ofMillis(from + random.nextInt(to - from));
    }

    SimulatedNode join(int slots) {
        SimulatedNode node = new SimulatedNode("n" + nodes.size(), slots, this);
        time.note(node.nodeId + ": starts with " + slots + " slots");
        nodes.add(node);
        node.start();
        return node;
    }

    /** The store is another one from now on, and empty. */
    void replaceStore(boolean sameCluster) {
        store.replace(sameCluster);
        replacedNanos = time.nowNanos();
        nodes.stream()
                .filter(node -> node.alive() && node.status().joined())
                .forEach(node -> replaced.put(node.nodeId, node));
    }

    Optional<SimulatedNode> node(String nodeId) {
        return nodes.stream().filter(node -> node.nodeId.equals(nodeId)).findFirst();
    }

    /** How few nodes the run may have now: it may have been scaled. */
    int minNodes() {
        return target().get(0);
    }

    /** How many nodes the run may have now: it may have been scaled. */
    int maxNodes() {
        return target().get(1);
    }

    private List<Integer> target() {
        KeyValue key = store.get(prefix() + "target");
        return key == null
                ? List.of(
                        config.terms().nodes().minNodes(),
                        config.terms().nodes().maxNodes())
                : StoredRecords.target(key);
    }

    String prefix() {
        return "/elastic-run/v1/" + config.runId() + "/";
    }
}
