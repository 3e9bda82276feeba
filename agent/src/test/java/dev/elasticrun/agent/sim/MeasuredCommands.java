/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Single commands, each on a run that has settled: what they do, and what they may cost in rounds and restarts. */
final class MeasuredCommands {
    private static final Duration AFTERMATH = Duration.ofSeconds(20);

    private final SimulatedCluster cluster;
    private final Faults faults;
    private final Operators operators;
    private final Consumer<Duration> runFor;

    MeasuredCommands(SimulatedCluster cluster, Faults faults, Operators operators, Consumer<Duration> runFor) {
        this.cluster = cluster;
        this.faults = faults;
        this.operators = operators;
        this.runFor = runFor;
    }

    void play() {
        boolean keptOut = faults.mayReturn(0) || faults.linkTroubles().findAny().isPresent();
        if (cluster.invariants.verdict() != null || keptOut) {
            return;
        }
        List<Runnable> commands =
                new ArrayList<>(List.of(this::same, this::restart, this::up, this::down, this::drain));
        while (!commands.isEmpty() && cluster.invariants.verdict() == null) {
            commands.remove(cluster.random.nextInt(commands.size())).run();
        }
    }

    private void same() {
        measure("scale to the same", 0, 0, () -> operators.scale(cluster.minNodes(), cluster.maxNodes(), true));
    }

    /** Every member once, and nothing is charged. */
    private void restart() {
        Map<String, Integer> before = generations();
        measure("restart", 1, before.size(), operators::restart);
        Map<String, Integer> after = generations();
        for (Map.Entry<String, Integer> member : before.entrySet()) {
            int now = after.getOrDefault(member.getKey(), -1);
            // Others of its workers may have been started in between, without a rank.
            require(
                    cluster.strategy.elasticWorkers() ? now > member.getValue() : now == member.getValue() + 1,
                    member.getKey() + " was not restarted once: " + before + ", then " + after);
        }
    }

    private void up() {
        int max = cluster.maxNodes() + 1;
        faults.grow();
        runFor.accept(AFTERMATH);
        measure("scale up", 1, allUnderHard(), () -> operators.scale(cluster.minNodes(), max, false));
        require(members() == Math.min(max, faults.staying().size()), "scaled to " + max + ", but it has " + members());
    }

    private void down() {
        int max = Math.max(1, members() - 1);
        measure("scale down", 1, allUnderHard(), () -> operators.scale(1, max, false));
        require(members() == max, "scaled to " + max + ", but it has " + members());
    }

    private void drain() {
        SimulatedNode node = faults.participant().orElse(null);
        if (node == null || faults.staying().size() <= cluster.minNodes()) {
            return;
        }
        measure("drain", 1, allUnderHard(), () -> operators.drain(node, false));
        require(!node.alive(), node.nodeId + " was drained, and has not ended");
        SimulatedNode.Exit exit = node.exit();
        require(exit != null && exit.code() == 143, node.nodeId + " was drained, and ended with " + exit);
    }

    private int allUnderHard() {
        return cluster.soft() ? 0 : Integer.MAX_VALUE;
    }

    private int members() {
        Round round = cluster.invariants.newest();
        return round == null ? 0 : round.participants().size();
    }

    private Map<String, Integer> generations() {
        Map<String, Integer> generations = new TreeMap<>();
        Round round = cluster.invariants.newest();
        if (round != null) {
            for (Participant place : round.participants()) {
                place.seats().forEach(seat -> generations.merge(place.nodeId(), seat.attempt(), Math::max));
            }
        }
        return generations;
    }

    /** @param maxRestarts how many nodes may have another worker group afterwards */
    private void measure(String what, int maxRounds, int maxRestarts, Runnable command) {
        long rounds = cluster.invariants.sealed();
        int budget = budgetUsed();
        Map<String, Integer> before = generations();
        cluster.time.note("MEASURED " + what);
        command.run();
        runFor.accept(AFTERMATH);
        long cost = cluster.invariants.sealed() - rounds;
        require(cost <= maxRounds, cost + " rounds for one " + what + " (expected: at most " + maxRounds + ")");
        require(budgetUsed() == budget, "a restart was charged for a " + what);
        Map<String, Integer> after = generations();
        long restarted = before.entrySet().stream()
                .filter(member ->
                        !after.getOrDefault(member.getKey(), member.getValue()).equals(member.getValue()))
                .count();
        require(restarted <= maxRestarts, restarted + " nodes were restarted for one " + what);
    }

    private int budgetUsed() {
        Round round = cluster.invariants.newest();
        return round == null ? 0 : round.restarts();
    }
}
