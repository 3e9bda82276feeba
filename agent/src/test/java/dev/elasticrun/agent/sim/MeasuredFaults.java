/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.Round;
import java.time.Duration;
import java.util.function.Consumer;

/** Single faults, each on a run that has settled, and what they may cost in rounds: a loss one, a return one more. */
final class MeasuredFaults {
    private static final Duration AFTERMATH = Duration.ofSeconds(20);
    private static final int FAULTS = 3;

    private final SimulatedCluster cluster;
    private final Faults faults;
    private final Consumer<Duration> runFor;

    MeasuredFaults(SimulatedCluster cluster, Faults faults, Consumer<Duration> runFor) {
        this.cluster = cluster;
        this.faults = faults;
        this.runFor = runFor;
    }

    void play() {
        for (int i = 0; i < FAULTS && cluster.invariants.verdict() == null; i++) {
            one(cluster.random.nextInt(7));
        }
    }

    private void one(int kind) {
        switch (kind) {
            case 0 ->
                measure("loss", 1, () -> faults.participant()
                        .filter(node -> enough())
                        .ifPresent(faults::kill));
            case 1 ->
                measure("silent loss", 1, () -> faults.participant()
                        .filter(node -> enough())
                        .ifPresent(faults::powerOff));
            case 2 ->
                measure("short freeze", 0, () -> faults.participant()
                        .ifPresent(node -> faults.freeze(node, faults.upTo(1500))));
            case 3 ->
                measure("long freeze", 2, () -> faults.participant()
                        .ifPresent(node -> faults.freeze(node, faults.upTo(4000).plusMillis(3200))));
            case 4 -> measure("short outage", 0, () -> faults.outage(faults.upTo(1500), true, false));
            case 5 -> failWorker();
            default -> measure("join", 1, faults::grow);
        }
    }

    private void failWorker() {
        Round before = cluster.invariants.newest();
        int left = before == null ? 0 : cluster.config.maxRestarts() - before.budgetUsed();
        boolean replaced = cluster.strategy.replacesWorkers() && left > 0;
        measure("failed worker", cluster.soft() && !replaced ? 2 : 1, () -> faults.worker()
                .ifPresent(worker -> worker.fail(1)));
        Round after = cluster.invariants.newest();
        require(
                !replaced || before == null || after == null || after.world() == before.world(),
                "another world, although only a worker was replaced");
    }

    /** Whether the run can lose a node and go on. */
    private boolean enough() {
        return faults.staying().size() > cluster.config.minNodes();
    }

    private void measure(String what, int maxRounds, Runnable fault) {
        long before = cluster.invariants.sealed();
        cluster.time.note("MEASURED " + what);
        fault.run();
        runFor.accept(AFTERMATH);
        long rounds = cluster.invariants.sealed() - before;
        require(rounds <= maxRounds, rounds + " rounds for one " + what + " (expected: at most " + maxRounds + ")");
        if (faults.staying().size() < cluster.config.minNodes() && cluster.invariants.verdict() == null) {
            faults.grow();
            runFor.accept(AFTERMATH);
        }
    }
}
