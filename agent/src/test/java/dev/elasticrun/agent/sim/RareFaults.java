/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;

/**
 * What only some runs have, at any instant or just after a round was written. Chosen with random numbers of their own,
 * so that the common faults of a seed stay what they were.
 */
final class RareFaults {
    private static final Duration ROUND_WITHIN = Duration.ofSeconds(5);
    /** How many rounds one of these may cost, compared with a common fault. */
    private static final int CAUSES = 6;

    private final SimulatedCluster cluster;
    private final Faults faults;
    private final Random random;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean over;
    private int causes;

    RareFaults(SimulatedCluster cluster, Faults faults, long seed) {
        this.cluster = cluster;
        this.faults = faults;
        this.random = new Random(seed * 31 + 17);
    }

    /** Lets them happen within that time, from now on. */
    void schedule(Duration length) {
        switch (random.nextInt(16)) {
            case 0 -> sometime(length, this::stopRun);
            case 1 -> sometime(length, this::replaceStore);
            case 2, 3, 4 -> repeat(1 + random.nextInt(3), length, this::exclude);
            case 5, 6 -> repeat(1 + random.nextInt(2), length, this::sicken);
            case 7, 8 -> repeat(1 + random.nextInt(2), length, this::cut);
            case 9, 10 -> sometime(length.dividedBy(2), () -> flap(1 + random.nextInt(4)));
            default -> {}
        }
        cluster.time.after(length, () -> over = true);
    }

    /** How many faults these count for. */
    int causes() {
        return causes;
    }

    /** A round was written. */
    void onRound() {
        Runnable next = waiting.poll();
        if (next != null) {
            cluster.time.after(Duration.ofMillis(random.nextInt(30)), next);
        }
    }

    private void repeat(int times, Duration length, Runnable fault) {
        for (int i = 0; i < times; i++) {
            sometime(length, fault);
        }
    }

    private void sometime(Duration length, Runnable fault) {
        boolean inRecovery = random.nextBoolean();
        boolean[] done = new boolean[1];
        Runnable once = () -> {
            if (!done[0] && !over && cluster.invariants.verdict() == null) {
                done[0] = true;
                causes += CAUSES;
                fault.run();
            }
        };
        cluster.time.after(Duration.ofMillis(random.nextInt((int) length.toMillis())), () -> {
            if (inRecovery) {
                waiting.add(once);
                cluster.time.after(ROUND_WITHIN, once);
            } else {
                once.run();
            }
        });
    }

    private void stopRun() {
        faults.pick(random, faults.staying())
                .flatMap(node -> faults.pick(random, node.living()))
                .ifPresent(this::stopRun);
    }

    void stopRun(SimulatedWorker worker) {
        cluster.time.note(worker.name() + " ENDS THE RUN");
        worker.send(new UpMessage.StopRun("the loss is not a number"));
    }

    private void exclude() {
        faults.pick(random, faults.staying()).ifPresent(this::exclude);
    }

    void exclude(SimulatedNode node) {
        Optional<SimulatedWorker> worker = faults.pick(
                random, node.living().stream().filter(SimulatedWorker::running).toList());
        worker.ifPresent(speaker -> {
            cluster.time.note(speaker.name() + " EXCLUDES its node");
            speaker.send(new UpMessage.ExcludeNode("a bad disk"));
        });
    }

    /** For some time no worker of one node works for long. */
    private void sicken() {
        faults.pick(random, faults.staying()).ifPresent(node -> {
            long endNanos =
                    cluster.time.nowNanos() + faults.upTo(random, 25_000).toNanos();
            cluster.time.note(node.nodeId + ": IS SICK");
            failAgain(node, endNanos);
        });
    }

    private void failAgain(SimulatedNode node, long endNanos) {
        if (cluster.time.nowNanos() < endNanos && !over && node.stays()) {
            faults.pick(random, node.living()).filter(SimulatedWorker::works).ifPresent(worker -> worker.fail(1));
            cluster.time.after(faults.upTo(random, 800), () -> failAgain(node, endNanos));
        }
    }

    /** For long; sometimes connections end with it. */
    private void cut() {
        faults.twoNodes(random).ifPresent(pair -> {
            faults.cut(pair, faults.upTo(random, 40_000));
            if (random.nextBoolean()) {
                cluster.node(pair.left()).ifPresent(this::reset);
            }
        });
    }

    private void reset(SimulatedNode node) {
        cluster.time.note(node.nodeId + ": its connections to other agents are RESET");
        cluster.control.reset(node);
    }

    /** One link is cut and mended, again and again. */
    private void flap(int times) {
        faults.twoNodes(random).ifPresent(pair -> flap(pair, times));
    }

    private void flap(Faults.Pair pair, int times) {
        if (times > 0 && !over) {
            Duration away = faults.upTo(random, 12_000);
            faults.cut(pair, away);
            cluster.time.after(away.plus(faults.upTo(random, 4000)), () -> flap(pair, times - 1));
        }
    }

    /** The store comes back empty; agents that know nothing of the old run come, and begin another. */
    private void replaceStore() {
        boolean sameCluster = random.nextBoolean();
        cluster.time.note("store: DOWN, to come back EMPTY" + (sameCluster ? "" : " and as another cluster"));
        cluster.store.goDown(random.nextBoolean());
        cluster.time.after(faults.upTo(random, 4000), () -> {
            if (cluster.invariants.verdict() == null) {
                cluster.replaceStore(sameCluster);
            }
            cluster.store.comeBack(false);
            for (int i = 0; i < cluster.config.terms().nodes().minNodes(); i++) {
                cluster.time.after(faults.upTo(random, 5000), () -> cluster.join(1));
            }
        });
    }
}
