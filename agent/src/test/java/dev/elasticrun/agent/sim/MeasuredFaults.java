/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.function.Consumer;

/** Single faults, each on a run that has settled, and what they may cost in rounds: a loss one, a return one more. */
final class MeasuredFaults {
    private static final Duration AFTERMATH = Duration.ofSeconds(20);
    private static final int FAULTS = 3;
    /** For messages that may be slow, and well before a lease can end. */
    private static final Duration PROVED = Duration.ofSeconds(1);
    /** The peer time-out and the wait for a loss that explains it, twice, with some time for the rounds. */
    private static final Duration TWO_REPORTS = Duration.ofSeconds(20);

    private static final int CUT_SECONDS = 50;
    /** Rounds in that time for whose writing a lost call may cost a second. */
    private static final int LOST_CALLS = 4;
    /** One to mend it, one without an end, and three attempts of two rounds; one more may be under way. */
    private static final int CUT_ROUNDS = 9;

    private final SimulatedCluster cluster;
    private final Faults faults;
    private final RareFaults rare;
    private final Consumer<Duration> runFor;

    MeasuredFaults(SimulatedCluster cluster, Faults faults, RareFaults rare, Consumer<Duration> runFor) {
        this.cluster = cluster;
        this.faults = faults;
        this.rare = rare;
        this.runFor = runFor;
    }

    void play() {
        for (int i = 0; i < FAULTS && cluster.invariants.verdict() == null; i++) {
            one(cluster.random.nextInt(10));
        }
    }

    private void one(int kind) {
        switch (kind) {
            case 0 ->
                measure("loss", 1, () -> faults.participant()
                        .filter(node -> enough())
                        .ifPresent(this::kill));
            case 9 ->
                measure("double loss", 2, () -> faults.coordinator()
                        .filter(node -> enough())
                        .ifPresent(this::killWithAnother));
            case 1 ->
                measure("silent loss", 1, () -> faults.participant()
                        .filter(node -> enough())
                        .ifPresent(faults::powerOff));
            // Short enough for a lease of 3 s even if the renewal before it was one of the lost calls.
            case 2 ->
                measure("short freeze", 0, () -> faults.participant()
                        .ifPresent(node -> faults.freeze(node, faults.upTo(1000))));
            case 3 ->
                measure("long freeze", 2, () -> faults.participant()
                        .ifPresent(node -> faults.freeze(node, faults.upTo(4000).plusMillis(3200))));
            // As short.
            case 4 -> measure("short outage", 0, () -> faults.outage(faults.upTo(1000), true, false));
            case 5 -> failWorker();
            case 7 -> exclude();
            case 8 -> cutLink();
            default -> measure("join", 1, faults::grow);
        }
    }

    private void kill(SimulatedNode node) {
        faults.kill(node);
        checkProved(node);
    }

    /** Each of the others is watched along the ring, too. */
    private void killWithAnother(SimulatedNode coordinator) {
        Round round = cluster.invariants.newest();
        SimulatedNode another = faults.participant()
                .filter(node -> node != coordinator)
                .filter(node -> faults.staying().size() > cluster.minNodes() + 1)
                .orElse(null);
        if (round == null || round.participants().size() < 3 || another == null) {
            return;
        }
        faults.kill(coordinator);
        faults.kill(another);
        checkProved(another);
        if (round.participant(coordinator.nodeId).isPresent()) {
            checkProved(coordinator);
        }
    }

    /** Whoever shares a connection with a dead process proves its death, long before its lease ends. */
    private void checkProved(SimulatedNode dead) {
        Round round = cluster.invariants.newest();
        if (cluster.lossPerMille > 0 || round == null || round.participants().size() < 2) {
            return;
        }
        runFor.accept(PROVED);
        require(
                cluster.store.get(cluster.prefix() + "nodes/" + dead.nodeId) == null,
                "nobody proved the death of " + dead.nodeId);
    }

    private void failWorker() {
        Round before = cluster.invariants.newest();
        int left = before == null ? 0 : cluster.config.terms().maxRestarts() - before.budgetUsed();
        boolean replaced = cluster.strategy.replacesWorkers() && left > 0;
        measure("failed worker", cluster.soft() && !replaced ? 2 : 1, 1, () -> faults.worker()
                .ifPresent(worker -> worker.fail(1)));
        Round after = cluster.invariants.newest();
        require(
                !replaced || before == null || after == null || after.world() == before.world(),
                "another world, although only a worker was replaced");
    }

    /** The node is out of the next round, and back when its time is over; no restart is charged for it. */
    private void exclude() {
        Round before = cluster.invariants.newest();
        measure("exclusion", 2, () -> faults.participant()
                .filter(node -> enough())
                .ifPresent(rare::exclude));
        Round after = cluster.invariants.newest();
        require(
                before == null || after == null || before.restarts() == after.restarts(),
                "a restart was charged for an exclusion");
    }

    /**
     * One link is cut, and stays so. The members get one round to mend it; then one end is left out, and comes back less
     * and less often until the link is mended. With one worker per node: of several, some report what only followed.
     */
    private void cutLink() {
        boolean again = faults.linkTroubles().findAny().isPresent();
        Faults.Pair pair = cluster.plainWorkers || again || !enough() || !faults.oneWorkerEach()
                ? null
                : faults.twoMembers(cluster.random).orElse(null);
        if (pair == null) {
            return;
        }
        cluster.time.note("MEASURED cut link");
        long before = cluster.invariants.sealed();
        faults.cut(pair);
        runFor.accept(TWO_REPORTS);
        long worked = 0;
        for (long second = 0; second < CUT_SECONDS; second++) {
            runFor.accept(Duration.ofSeconds(1));
            worked += faults.allWork() ? 1 : 0;
        }
        long rounds = cluster.invariants.sealed() - before;
        // In that time two attempts and the rest of a first one, of 8.5 s; under hard workers stop and start for each.
        int least = CUT_SECONDS * (cluster.soft() ? 5 : 3) / 10 - (cluster.lossPerMille > 0 ? LOST_CALLS : 0);
        require(worked >= least, "a cut link let the run work for " + worked + " of " + CUT_SECONDS + " s");
        require(rounds <= CUT_ROUNDS, rounds + " rounds for one cut link (expected: at most " + CUT_ROUNDS + ")");
        faults.mend(pair);
        runFor.accept(faults.longestHold().plus(AFTERMATH));
        // One to let the end in; one may have been under way.
        require(cluster.invariants.sealed() - before <= rounds + 2, "too many rounds for a link that is mended");
    }

    /** Whether the run can lose a node and go on. */
    private boolean enough() {
        return faults.staying().size() > cluster.minNodes();
    }

    private void measure(String what, int maxRounds, Runnable fault) {
        measure(what, maxRounds, 0, fault);
    }

    /** @param failures of workers that the fault consists of */
    private void measure(String what, int maxRounds, int failures, Runnable fault) {
        long before = cluster.invariants.sealed();
        int returns = faults.mayReturn(failures) ? 1 : 0;
        cluster.time.note("MEASURED " + what);
        fault.run();
        runFor.accept(AFTERMATH);
        long rounds = cluster.invariants.sealed() - before;
        // Plain workers fail because a peer is gone, which may cost their node a cool-down, from which it returns.
        boolean coolDowns =
                cluster.plainWorkers && !cluster.config.rounds().rejoinBackOff().isZero();
        require(
                rounds <= maxRounds + returns + (coolDowns ? 2 : 0),
                rounds + " rounds for one " + what + " (expected: at most " + maxRounds + " and " + returns
                        + " for a return)");
        if (faults.staying().size() < cluster.minNodes() && cluster.invariants.verdict() == null) {
            faults.grow();
            runFor.accept(AFTERMATH);
        }
    }
}
