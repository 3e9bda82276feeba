/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.rendezvous.record.Command;
import java.time.Duration;
import java.util.Random;

/**
 * People who steer the run, in every third one, and in every sixteenth one somebody who restarts it again and again, each
 * time after failures on one node. Like rare faults, they have random numbers of their own. Some ask twice for the same,
 * by two agents.
 */
final class Operators {
    private static final int MOST_NODES = 6;
    private static final int MOST_RESTARTS = 6;

    private final SimulatedCluster cluster;
    private final Faults faults;
    private final Random random;
    private final boolean there;
    private int restarts;
    private int requests;
    private int causes;

    Operators(SimulatedCluster cluster, Faults faults, long seed) {
        this.cluster = cluster;
        this.faults = faults;
        this.random = new Random(seed * 37 + 5);
        this.there = random.nextInt(3) == 0;
        // Of the first seeds of BrokenRule only one is such a run: that of the rule which this shows.
        Random impatience = RunSimulation.scattered(seed + 71);
        this.restarts = impatience.nextInt(16) == 0 ? 2 + impatience.nextInt(MOST_RESTARTS - 1) : 0;
    }

    boolean there() {
        return there;
    }

    /** How many faults their commands count for. */
    int causes() {
        return causes;
    }

    /** Lets them ask within that time, from now on. */
    void schedule(Duration length) {
        int times = there ? 1 + random.nextInt(6) : 0;
        for (int i = 0; i < times; i++) {
            cluster.time.after(Duration.ofMillis(random.nextInt((int) length.toMillis())), this::ask);
        }
    }

    /** A round was written. */
    void onRound() {
        if (restarts > 0 && random.nextBoolean()) {
            restarts--;
            causes += 2;
            cluster.time.after(Duration.ofMillis(random.nextInt(1500)), this::restartAfterFailures);
        }
    }

    /** One node has replaced some of its workers, and another command often follows at once. */
    private void restartAfterFailures() {
        if (cluster.invariants.verdict() != null) {
            return;
        }
        faults.pick(random, faults.staying()).ifPresent(node -> {
            failOne(node);
            causes += 2;
            cluster.time.after(Duration.ofMillis(random.nextInt(800)), () -> failOne(node));
        });
        cluster.time.after(Duration.ofMillis(random.nextInt(1500)), () -> {
            if (cluster.invariants.verdict() == null) {
                restart();
                if (random.nextBoolean()) {
                    causes++;
                    faults.pick(random, faults.staying()).ifPresent(node -> drain(node, false));
                }
            }
        });
    }

    private void failOne(SimulatedNode node) {
        faults.pick(random, node.living()).filter(SimulatedWorker::works).ifPresent(worker -> worker.fail(1));
    }

    private void ask() {
        if (cluster.invariants.verdict() != null) {
            return;
        }
        causes += 2;
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5, 6 ->
                faults.pick(random, faults.staying()).ifPresent(node -> drain(node, random.nextInt(4) == 0));
            case 7, 8, 9, 10, 11, 12, 13, 14 -> {
                int max = 1
                        + random.nextInt(Math.min(
                                MOST_NODES, cluster.config.terms().nodes().maxNodes() + 2));
                scale(1 + random.nextInt(max), max, random.nextInt(4) == 0);
            }
            case 15 -> scale(cluster.minNodes(), cluster.maxNodes(), false);
            case 16 -> stop();
            default -> restart();
        }
    }

    void drain(SimulatedNode node, boolean force) {
        send(Command.drain(request(), node.nodeId, force, "alice"));
    }

    void scale(int min, int max, boolean force) {
        send(Command.scale(request(), min, max, force, "bob"));
    }

    void restart() {
        send(Command.restart(request(), "alice"));
    }

    private void stop() {
        send(Command.stop(request(), "bob"));
    }

    private String request() {
        requests++;
        return "r" + requests;
    }

    /** By any agent; a caller that receives nothing asks another one, with the same request. */
    private void send(Command command) {
        cluster.time.note("SOMEBODY ASKS for " + command.text() + (command.force() ? " with force" : ""));
        by(command);
        while (random.nextInt(3) == 0) {
            cluster.time.after(Duration.ofMillis(random.nextInt(500)), () -> by(command));
        }
    }

    private void by(Command command) {
        faults.pick(random, cluster.nodes.stream().filter(SimulatedNode::alive).toList())
                .ifPresent(node -> node.agent().ask(command));
    }
}
