/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A run of very many rounds: what it keeps in the store and in memory does not grow with them. For a million rounds:
 * {@code ./mvnw test -pl rendezvous -am -Dtest=ManyRoundsTest -Dsurefire.failIfNoSpecifiedTests=false -Dmany.rounds=1000000}.
 */
@Tag("once")
final class ManyRoundsTest {
    private static final String RUN = "run";
    private static final RunKeys KEYS = RunKeys.of(RUN);
    private static final int ROUNDS = Integer.getInteger("many.rounds", 3000);
    /** Of all that happens to a member, every so many rounds it is lost for good, and another node comes. */
    private static final int LOSS_EVERY = 50;

    private static final int MAX_KEYS = CoordinatorWrites.KEPT_INCIDENTS + CoordinatorWrites.KEPT_COMMANDS + 20;
    private static final int MAX_ROUND_BYTES = 16_384;
    private static final long MAX_GROWTH_BYTES = 4L << 20;
    private static final long MAX_STEPS = 100_000;

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(1));
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private long works;
    private int names;

    @Test
    void run_ofManyRounds_keepsNoMoreThanOneOfAFew() {
        nodes.add(new SimulatedNode());
        nodes.add(new SimulatedNode());
        untilWorking();
        long before = 0;
        for (int i = 1; works < ROUNDS; i++) {
            if (i % LOSS_EVERY == 0) {
                nodes.get(1).loop.kill();
                nodes.set(1, new SimulatedNode());
            } else {
                nodes.get(1).isFenced();
            }
            untilWorking();
            if (i % 1000 == 0) {
                store.compact();
                checkKeys();
            }
            if (before == 0 && works >= ROUNDS / 2) {
                before = usedBytes();
            }
        }
        checkKeys();
        assertThat(usedBytes() - before).as("growth of the heap").isLessThan(MAX_GROWTH_BYTES);
    }

    private void checkKeys() {
        assertThat(store.names()).as("keys after %d rounds", works).hasSizeLessThan(MAX_KEYS);
        KeyValue round = Objects.requireNonNull(store.get(KEYS.round()), "round");
        assertThat(round.value()).as("the round document").hasSizeLessThan(MAX_ROUND_BYTES);
    }

    private static long usedBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    private void untilWorking() {
        SimulatedNode member = nodes.get(1);
        long former = member.seen;
        for (long steps = 0; member.seen == former; steps++) {
            assertThat(steps).as("what the round after %d takes", former).isLessThan(MAX_STEPS);
            time.step(Long.MAX_VALUE);
        }
        works = member.seen;
    }

    /** An agent whose workers are always ready and do what rounds say. */
    private final class SimulatedNode extends QuietListener {
        private final SimulatedLoop loop = new SimulatedLoop(time);
        private final NodeFixture node = NodeFixture.of("n" + ++names, names % 400);
        private final Rendezvous rendezvous;
        private long checkpoint;
        private long seen;

        SimulatedNode() {
            this.rendezvous = new Rendezvous(
                    store.connect(loop),
                    loop,
                    RendezvousNode.config(RUN, 2, RendezvousNode.LEASE, Duration.ofMinutes(1)),
                    RestartPolicies.byName("soft-no-replace"),
                    node.record(),
                    "i",
                    new SecureRandom(),
                    this);
            loop.execute(rendezvous::start);
        }

        void isFenced() {
            loop.execute(() -> rendezvous.update(
                    node.phase(NodePhase.FENCED).checkpoint(++checkpoint).record()));
        }

        @Override
        public void onRound(Round round) {
            if (round.participant(node.nodeId).isPresent() && !round.suspended()) {
                seen = round.number();
                rendezvous.update(node.works(round).record());
            }
        }

        @Override
        public void onMembershipLost() {
            rendezvous.update(node.phase(NodePhase.READY).reserved().record());
        }
    }
}
