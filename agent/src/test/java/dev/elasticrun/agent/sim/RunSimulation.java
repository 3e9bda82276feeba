/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.LocalProtection;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import dev.elasticrun.rendezvous.terms.RunKeySource;
import dev.elasticrun.rendezvous.terms.RunTerms;
import dev.elasticrun.rendezvous.terms.StoreContact;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** One run from one seed: faults, then quiet, then single faults whose rounds are counted, then the end. */
public final class RunSimulation {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SETTLE = Duration.ofSeconds(30);
    private static final int STORE_LOST = 5;
    private static final int DRAINED = 143;
    /** Its workers cannot be started, and the run has no restarts: it needs no store to know that. */
    private static final String NEVER_STARTS = "workers failed to start";
    /** Its last worker ended, and none is started again: it needs no store to know that. */
    private static final String USED_UP = "no restart is left for this node";

    /** Never used up. */
    private static final int LARGE = 1000;

    private static final int MAX_STEPS = 2_000_000;

    private static final Map<String, RestartPolicyStrategy> POLICIES = new ConcurrentHashMap<>();

    private final SimulatedTime time = new SimulatedTime();
    private final Random random;
    private final SimulatedCluster cluster;
    private final Faults faults;
    private final RareFaults rare;
    private final Operators operators;
    private final long seed;
    private int causes;
    private long steps;

    public RunSimulation(long seed, String policy) {
        random = new Random(seed);
        this.seed = seed;
        SimulatedStore store = new SimulatedStore(time, random);
        RestartPolicyStrategy strategy = policy(policy);
        int min = 1 + random.nextInt(3);
        int max = min + random.nextInt(3);
        int budget = random.nextInt(4) == 0 ? random.nextInt(4) : LARGE;
        cluster = new SimulatedCluster(
                time,
                random,
                store,
                config(strategy, min, max, budget(budget, seed), patience(strategy, seed), backOff(seed)),
                strategy,
                seed);
        cluster.lossPerMille = random.nextInt(3) == 0 ? 30 : 0;
        faults = new Faults(cluster);
        rare = new RareFaults(cluster, faults, seed);
        operators = new Operators(cluster, faults, seed);
        RestartBudget restarts = cluster.config.terms().restarts();
        time.note("nnodes " + min + ":" + max + " budget " + budget + restarts.within() + " refund "
                + restarts.refund().toMillis() + " ms replacement wait "
                + cluster.config.rounds().replacementWait().toMillis() + " ms lost calls " + cluster.lossPerMille
                + "/1000");
    }

    /** Looked for once: a search on the class path takes longer than much of a simulation. */
    static RestartPolicyStrategy policy(String nameOrClass) {
        return POLICIES.computeIfAbsent(nameOrClass, name -> RestartPolicies.byNameOrClass("sim.policy", name, ""));
    }

    /** The first numbers of a random of the seed itself hardly differ from seed to seed. */
    static Random scattered(long seed) {
        return new Random(seed * 0x9E3779B97F4A7C15L);
    }

    /** In half of the runs with a small budget restarts come back, after a time or by progress. */
    private static RestartBudget budget(int max, long seed) {
        Random own = scattered(seed + 52);
        if (max == 0 || max == LARGE || own.nextBoolean()) {
            return RestartBudget.of(max);
        }
        Duration window = Duration.ofSeconds(own.nextInt(3) == 0 ? 0 : 5 + own.nextInt(30));
        boolean refunds = window.isZero() || own.nextInt(3) == 0;
        return new RestartBudget(max, window, Duration.ofSeconds(refunds ? 2 + own.nextInt(10) : 0));
    }

    /** In every eighth run workers fail to start for so long that nodes back off. */
    private void disturbStarts() {
        Random own = scattered(seed + 53);
        if (own.nextInt(8) == 0) {
            time.after(Duration.ofMillis(own.nextInt(25_000)), () -> {
                causes += 2;
                faults.failStarts(1000, Duration.ofMillis(5000 + own.nextInt(6000)));
                faults.worker().ifPresent(worker -> worker.fail(1));
            });
        }
    }

    /** In every third run survivors wait for those that are gone. */
    private static Duration patience(RestartPolicyStrategy strategy, long seed) {
        Random own = new Random(~seed);
        return strategy.workersOutliveRounds() && own.nextInt(3) == 0
                ? Duration.ofMillis(own.nextInt(8000))
                : Duration.ZERO;
    }

    /** In every second run nodes that leave again and again have to wait. */
    private static Duration backOff(long seed) {
        return seed % 2 == 0 ? Duration.ZERO : Duration.ofSeconds(4);
    }

    /** The only place that names all of the rendezvous' options; nobody waits for those that are gone. */
    static RendezvousConfig config(RestartPolicyStrategy strategy, int min, int max, int budget) {
        return config(strategy, min, max, RestartBudget.of(budget), Duration.ZERO, Duration.ZERO);
    }

    private static RendezvousConfig config(
            RestartPolicyStrategy strategy,
            int min,
            int max,
            RestartBudget budget,
            Duration replacementWait,
            Duration rejoinBackOff) {
        return new RendezvousConfig(
                "sim",
                new RunTerms(
                        new NodeBounds(min, max), strategy.name(), "none", "off", LocalProtection.copies(2), budget),
                LeaseTimes.of(LEASE),
                new RoundTimes(
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(2),
                        Duration.ofMillis(500),
                        replacementWait,
                        rejoinBackOff,
                        Duration.ofSeconds(10)),
                new StoreContact("the simulated store", Duration.ofSeconds(60), Duration.ofSeconds(60)),
                new RunKeySource(new byte[] {1}, false));
    }

    public List<String> trace() {
        return time.trace();
    }

    /** What coordinators recorded of their decisions so far, in order. */
    List<PlannerCall> decisions() {
        return List.copyOf(cluster.decisions);
    }

    /** What states of agents followed from what events so far. */
    SeenTransitions transitions() {
        return cluster.transitions;
    }

    /** Events that were handled so far. */
    public long steps() {
        return steps;
    }

    /** Plays the run to its end; an error names what did not hold. */
    public void play() {
        int first = cluster.config.terms().nodes().minNodes() + random.nextInt(2);
        for (int i = 0; i < first; i++) {
            faults.grow();
        }
        disturb(Duration.ofSeconds(40));
        boolean deaf = random.nextInt(5) == 0;
        time.note(deaf ? "QUIET, but for deaf watches" : "QUIET");
        settle(deaf);
        if (goesOn()) {
            checkFormed();
            require(
                    cluster.invariants.sealed() <= 3L * causes() + 5,
                    cluster.invariants.sealed() + " rounds for " + causes() + " causes");
            if (!deaf) {
                new MeasuredFaults(cluster, faults, rare, this::runFor).play();
            }
            if (!deaf && operators.there()) {
                new MeasuredCommands(cluster, faults, operators, this::runFor).play();
            }
        }
        if (goesOn()) {
            runFor(faults.longestHold());
            checkFormed();
            time.note("FINISH");
            if (random.nextInt(3) == 0) {
                faults.coordinator().ifPresent(node -> faults.delayNext(node, "/verdict"));
            }
            cluster.mesh.finish();
            runFor(SETTLE);
            Verdict verdict = cluster.invariants.verdict();
            require(verdict != null && verdict.succeeded(), "all finished, but the verdict is " + verdict);
        }
        checkEnded();
    }

    private int causes() {
        return causes + rare.causes() + operators.causes();
    }

    private void disturb(Duration length) {
        long endNanos = time.nowNanos() + length.toNanos();
        scheduleFault(endNanos);
        rare.schedule(length);
        operators.schedule(length);
        disturbStarts();
        cluster.invariants.afterRound(() -> {
            rare.onRound();
            operators.onRound();
            disturbRecovery();
        });
        runFor(length);
        cluster.invariants.afterRound(() -> {});
    }

    /** Sometimes the next thing happens while the last one is being answered. */
    private void disturbRecovery() {
        if (random.nextInt(8) == 0) {
            time.after(Duration.ofMillis(random.nextInt(30)), () -> {
                causes++;
                if (random.nextBoolean()) {
                    faults.participant().ifPresent(node -> faults.freeze(node, faults.upTo(5000)));
                } else {
                    faults.any();
                }
            });
        }
    }

    private void scheduleFault(long endNanos) {
        Duration pause = Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(400) : random.nextInt(6000));
        time.after(pause, () -> {
            if (time.nowNanos() < endNanos && cluster.invariants.verdict() == null) {
                causes++;
                faults.any();
                scheduleFault(endNanos);
            }
        });
    }

    /** Enough nodes for the run to go on, and nothing happens to them any more. */
    private void settle(boolean deaf) {
        if (deaf) {
            cluster.store.deafenWatches();
        } else {
            cluster.store.breakWatches();
        }
        cluster.mesh.mendAll();
        runFor(Duration.ofSeconds(12));
        // A run that died altogether is a new one, with the numbers that it is started with.
        int enough = Math.max(cluster.minNodes(), cluster.config.terms().nodes().minNodes());
        while (faults.staying().size() < enough && cluster.invariants.verdict() == null) {
            faults.grow();
        }
        runFor(SETTLE);
        runFor(faults.longestHold());
        require(
                !cluster.invariants.returns().stopAsked() || cluster.invariants.verdict() != null,
                "a worker ended the run, and it goes on");
        if (goesOn()) {
            cluster.invariants.commands().checkNothingWaits();
        }
    }

    private boolean goesOn() {
        return cluster.invariants.verdict() == null && cluster.nodes.stream().anyMatch(SimulatedNode::alive);
    }

    private void runFor(Duration length) {
        long untilNanos = time.nowNanos() + length.toNanos();
        while (time.step(untilNanos)) {
            steps++;
            require(steps < MAX_STEPS, "endless activity");
        }
    }

    private void checkFormed() {
        Round round = cluster.invariants.newest();
        if (round == null || round.suspended() || round.number() == 0) {
            throw new AssertionError("no sealed round although all is quiet: " + round);
        }
        List<SimulatedNode> staying = faults.staying().stream()
                .filter(node -> node.status().phase() != NodePhase.DONE)
                .toList();
        int expected = Math.min(cluster.maxNodes(), staying.size());
        require(
                round.participants().size() == expected,
                "the round has not all that it could have, of " + staying.size() + " nodes: " + round);
        for (Participant place : round.participants()) {
            SimulatedNode node = staying.stream()
                    .filter(candidate -> candidate.nodeId.equals(place.nodeId()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("a participant is not there: " + place.nodeId()));
            boolean isShrunk = round.shrinks(node.nodeId);
            require(
                    node.status().workingRound() == round.number(),
                    node.nodeId + " does not work in round " + round.number());
            List<SimulatedWorker> workers = node.living();
            boolean isWhole = isShrunk || workers.size() == place.size() + cluster.spares;
            require(isWhole, node.nodeId + " has " + workers.size() + " workers");
            require(isShrunk || place.size() == node.slots, node.nodeId + " has empty slots");
            List<SimulatedWorker> ranked = workers.stream()
                    .filter(worker -> place.rankOf(worker.slot, worker.attempt).isPresent())
                    .toList();
            require(ranked.size() == place.size(), node.nodeId + " has a rank for a worker that is not there");
            ranked.forEach(worker -> require(cluster.mesh.works(worker), worker.name() + " waits for its peers"));
            KeyValue key = cluster.store.get(cluster.prefix() + "nodes/" + node.nodeId);
            require(key != null && key.createRevision() == place.createRevision(), node.nodeId + " is another life");
        }
    }

    private void checkEnded() {
        runFor(SETTLE);
        Verdict verdict = cluster.invariants.verdict();
        for (SimulatedNode node : cluster.nodes) {
            require(!node.alive(), node.nodeId + " has not ended");
            SimulatedNode.Exit exit = node.exit();
            if (exit != null && verdict != null && exit.verdict() != null) {
                require(
                        cluster.invariants.verdicts().contains(exit.verdict()),
                        node.nodeId + " ended with " + exit + ", which nobody wrote");
            }
            node.workers().forEach(worker -> require(worker.exited(), worker.name() + " is left"));
        }
        cluster.replaced.values().forEach(this::checkStoreLost);
        List<String> left = cluster.store.names().stream()
                .map(name -> name.substring(cluster.prefix().length()))
                .filter(name -> name.startsWith("nodes/") || name.equals("coordinator"))
                .toList();
        require(left.isEmpty(), "left in the store: " + left);
    }

    /** Whoever did not end for another reason reports that its store is lost. */
    private void checkStoreLost(SimulatedNode node) {
        SimulatedNode.Exit exit = node.exit();
        require(
                exit == null
                        || List.of(STORE_LOST, DRAINED).contains(exit.code())
                        || exit.reason().equals(USED_UP)
                        || exit.reason().startsWith(NEVER_STARTS),
                node.nodeId + " lost its store and ended with " + exit);
    }
}
