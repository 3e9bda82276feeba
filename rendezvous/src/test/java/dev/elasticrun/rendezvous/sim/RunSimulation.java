/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import static dev.elasticrun.rendezvous.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.NodePhase;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.RendezvousConfig;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.Verdict;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One run from one seed: a minute of faults, then quiet, then the end. */
final class RunSimulation {
    private static final Duration FAULTS = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofSeconds(40);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final String PREFIX = "/elastic-run/v1/sim/";

    private final SimulatedTime time = new SimulatedTime();
    private final Random random;
    private final SimulatedStore store;
    private final RestartPolicyStrategy strategy;
    private final RendezvousConfig config;
    private final RunInvariants invariants;
    private final int lossPerMille;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private int causes;

    RunSimulation(long seed, String policy) {
        random = new Random(seed);
        store = new SimulatedStore(time, random);
        strategy = RestartPolicies.byName(policy);
        int min = 1 + random.nextInt(3);
        int max = min + random.nextInt(3);
        int budget = random.nextInt(4) == 0 ? random.nextInt(4) : 1000;
        lossPerMille = random.nextInt(3) == 0 ? 30 : 0;
        config = new RendezvousConfig(
                "sim",
                "the simulated store",
                min,
                max,
                strategy.name(),
                "none",
                budget,
                LEASE,
                Duration.ofMinutes(5),
                Duration.ofSeconds(2),
                Duration.ofMillis(500),
                Duration.ZERO,
                Duration.ofSeconds(4),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                new byte[] {1},
                false);
        invariants = new RunInvariants(time, budget, max);
        store.observe(invariants::onWritten);
        time.note("nnodes " + min + ":" + max + " budget " + budget + " lost acks " + lossPerMille);
    }

    List<String> trace() {
        return time.trace();
    }

    void play() {
        long faultsEnd = time.nowNanos() + FAULTS.toNanos();
        int first = config.minNodes() + random.nextInt(2);
        for (int i = 0; i < first; i++) {
            join();
        }
        scheduleFault(faultsEnd);
        runUntil(faultsEnd);
        time.note("QUIET");
        calm();
        runUntil(time.nowNanos() + SETTLE.toNanos());
        boolean over = nodes.stream().noneMatch(SimulatedNode::alive);
        if (invariants.verdict() == null && !over) {
            checkFormed();
            time.note("FINISH");
            nodes.forEach(SimulatedNode::finish);
            runUntil(time.nowNanos() + SETTLE.toNanos());
            Verdict verdict = invariants.verdict();
            require(verdict != null && verdict.succeeded(), "all finished, but the verdict is " + verdict);
        }
        checkEnded();
    }

    private void runUntil(long untilNanos) {
        int steps = 0;
        while (time.step(untilNanos)) {
            steps++;
            require(steps < 1_000_000, "endless activity");
        }
    }

    private SimulatedNode join() {
        SimulatedLoop loop = new SimulatedLoop(time);
        SimulatedStoreClient client = new SimulatedStoreClient(time, store, loop, random, lossPerMille);
        SimulatedNode node = new SimulatedNode(
                "n" + nodes.size(), time, loop, client, config, strategy, new Random(random.nextLong()));
        time.note(node.nodeId + ": starts");
        nodes.add(node);
        node.start();
        causes++;
        return node;
    }

    private void scheduleFault(long end) {
        Duration pause = Duration.ofMillis(random.nextInt(4) == 0 ? 20 + random.nextInt(400) : random.nextInt(8000));
        time.after(pause, () -> {
            if (time.nowNanos() < end) {
                fault();
                scheduleFault(end);
            }
        });
    }

    private void fault() {
        causes++;
        switch (random.nextInt(12)) {
            case 0, 1 -> any().ifPresent(this::crash);
            case 2 -> any().ifPresent(this::freeze);
            case 3, 4, 5 -> any().ifPresent(SimulatedNode::workerFails);
            case 6, 7 -> grow();
            case 8 -> any().ifPresent(SimulatedNode::drain);
            case 9 -> coordinator().ifPresent(this::crash);
            case 10 -> outage();
            default -> {
                time.note("store: watches break");
                store.breakWatches();
            }
        }
    }

    private void grow() {
        if (living().size() < config.maxNodes() + 2) {
            join();
        }
    }

    private void crash(SimulatedNode node) {
        time.note(node.nodeId + ": CRASH");
        KeyValue key = store.get(PREFIX + "nodes/" + node.nodeId);
        node.loop.kill();
        if (key != null && random.nextBoolean()) {
            any().ifPresent(witness -> time.after(Duration.ofMillis(5), () -> {
                time.note(witness.nodeId + ": proves the death of " + node.nodeId);
                witness.prove(node.nodeId, key.createRevision(), key.leaseId());
            }));
        }
        if (random.nextInt(4) > 0) {
            time.after(Duration.ofMillis(random.nextInt(5000)), this::grow);
        }
    }

    private void freeze(SimulatedNode node) {
        Duration length = Duration.ofMillis(200 + random.nextInt(7000));
        time.note(node.nodeId + ": freezes for " + length.toMillis() + " ms");
        node.loop.freeze();
        time.after(length, () -> {
            time.note(node.nodeId + ": goes on");
            node.loop.thaw();
        });
    }

    private void outage() {
        Duration length = Duration.ofMillis(100 + random.nextInt(6000));
        boolean extend = random.nextBoolean();
        time.note("store: down for " + length.toMillis() + " ms");
        store.goDown(random.nextBoolean());
        time.after(length, () -> {
            time.note("store: back" + (extend ? ", leases extended" : ""));
            store.comeBack(extend);
        });
    }

    /** Enough nodes for the run to go on, and nothing happens to them any more. */
    private void calm() {
        time.after(Duration.ofSeconds(8), () -> {
            while (living().size() < config.minNodes() && invariants.verdict() == null) {
                join();
            }
        });
    }

    private List<SimulatedNode> living() {
        return nodes.stream()
                .filter(node -> node.alive() && !node.hasEnded() && node.phase() != NodePhase.DRAINING)
                .toList();
    }

    private Optional<SimulatedNode> any() {
        List<SimulatedNode> living = living();
        return living.isEmpty() ? Optional.empty() : Optional.of(living.get(random.nextInt(living.size())));
    }

    private Optional<SimulatedNode> coordinator() {
        KeyValue key = store.get(PREFIX + "coordinator");
        return key == null
                ? Optional.empty()
                : living().stream()
                        .filter(node -> node.nodeId.equals(new String(key.value(), StandardCharsets.UTF_8)))
                        .findFirst();
    }

    private void checkFormed() {
        Round round = invariants.newest();
        if (round == null || round.suspended()) {
            throw new AssertionError("no sealed round although all is quiet: " + round);
        }
        List<SimulatedNode> living = living();
        int expected = Math.min(config.maxNodes(), living.size());
        require(
                round.participants().size() == expected,
                "the round has not all that it could have, of " + living.size() + " nodes: " + round);
        for (Participant participant : round.participants()) {
            SimulatedNode node = living.stream()
                    .filter(candidate -> candidate.nodeId.equals(participant.nodeId()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("a participant is not there: " + participant.nodeId()));
            require(node.generation() == participant.generation(), node.nodeId + " has another group");
            require(node.working() == round.number(), node.nodeId + " does not work in round " + round.number());
            KeyValue key = store.get(PREFIX + "nodes/" + node.nodeId);
            require(
                    key != null && key.createRevision() == participant.createRevision(),
                    node.nodeId + " is another life");
        }
        require(invariants.sealed() <= 2L * causes + 5, invariants.sealed() + " rounds for " + causes + " causes");
    }

    private void checkEnded() {
        nodes.forEach(node -> require(!node.alive(), node.nodeId + " has not ended"));
        List<String> left = store.names().stream()
                .map(name -> name.substring(PREFIX.length()))
                .filter(name -> name.startsWith("nodes/") || name.equals("coordinator"))
                .toList();
        require(left.isEmpty(), "left in the store: " + left);
    }
}
