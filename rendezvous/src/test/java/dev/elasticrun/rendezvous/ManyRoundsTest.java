/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.coordinator.CoordinatorWrites;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A run of very many rounds: what it keeps in the store and in memory does not grow with them. For a million rounds:
 * {@code ./mvnw test -pl rendezvous -am -Dtest=ManyRoundsTest -Dsurefire.failIfNoSpecifiedTests=false -Dmany.rounds=1000000}.
 * {@code -Dmany.minutes=N} ends it after that time wherever it is, {@code -Dmany.csv=FILE} writes what was measured.
 */
@Tag("slow")
final class ManyRoundsTest {
    private static final String RUN = "run";
    private static final RunKeys KEYS = RunKeys.of(RUN);
    private static final int ROUNDS = Integer.getInteger("many.rounds", 3000);
    private static final Duration LONGEST = Duration.ofMinutes(Integer.getInteger("many.minutes", 100_000));
    private static final @Nullable String CSV = System.getProperty("many.csv");
    private static final int SAMPLE_EVERY = 1000;
    /** Of all that happens to a member, every so many rounds it is lost for good, and another node comes. */
    private static final int LOSS_EVERY = 50;

    private static final int MAX_KEYS = CoordinatorWrites.KEPT_INCIDENTS + CoordinatorWrites.KEPT_COMMANDS + 20;
    private static final int MAX_ROUND_BYTES = 16_384;
    private static final long MAX_GROWTH_BYTES = 4L << 20;
    private static final long MAX_STEPS = 100_000;

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(1));
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private long works;
    private int names;

    /** What is kept when that round works. */
    private record Sample(long round, long virtualSeconds, long heapBytes, int keys, long incidents, int roundBytes) {}

    @Test
    void run_ofManyRounds_keepsNoMoreThanOneOfAFew() throws IOException {
        nodes.add(new SimulatedNode());
        nodes.add(new SimulatedNode());
        untilWorking();
        long end = System.nanoTime() + LONGEST.toNanos();
        look();
        for (int i = 1; works < ROUNDS && System.nanoTime() < end; i++) {
            if (i % LOSS_EVERY == 0) {
                nodes.get(1).loop.kill();
                nodes.set(1, new SimulatedNode());
            } else {
                nodes.get(1).isFenced();
            }
            untilWorking();
            if (i % SAMPLE_EVERY == 0) {
                look();
            }
        }
        look();
        checkHeap();
    }

    private void look() throws IOException {
        store.compact();
        store.forgetTheDead();
        checkKeys();
        samples.add(sample());
        write();
    }

    /** The store keeps the newest incidents only, which fill up first; from then on nothing grows. */
    private void checkHeap() {
        List<Sample> second = samples.subList(samples.size() / 2, samples.size());
        long before = second.get(0).heapBytes();
        assertThat(second).as("since round %d", second.get(0).round()).allSatisfy(sample -> assertThat(
                        sample.heapBytes() - before)
                .as("growth of the heap")
                .isLessThan(MAX_GROWTH_BYTES));
    }

    private Sample sample() {
        List<String> names = List.copyOf(store.names());
        return new Sample(
                works,
                time.nowNanos() / 1_000_000_000L,
                usedBytes(),
                names.size(),
                names.stream().filter(name -> name.contains("/incidents/")).count(),
                Objects.requireNonNull(store.get(KEYS.round()), "round").value().length);
    }

    private void write() throws IOException {
        if (CSV != null) {
            List<String> lines =
                    new ArrayList<>(List.of("round,virtual_seconds,heap_bytes,keys,incidents,round_bytes"));
            samples.forEach(sample -> lines.add(String.join(
                    ",",
                    Long.toString(sample.round()),
                    Long.toString(sample.virtualSeconds()),
                    Long.toString(sample.heapBytes()),
                    Integer.toString(sample.keys()),
                    Long.toString(sample.incidents()),
                    Integer.toString(sample.roundBytes()))));
            Files.write(Path.of(CSV), lines);
        }
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

    /** An agent whose workers are always ready and do as rounds require. */
    private final class SimulatedNode implements Consumer<RendezvousEvent> {
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
                    new RunFounder("i", new SecureRandom()),
                    this);
            loop.execute(rendezvous::start);
        }

        void isFenced() {
            loop.execute(() -> rendezvous.update(
                    node.phase(NodePhase.FENCED).checkpoint(++checkpoint).record()));
        }

        @Override
        public void accept(RendezvousEvent event) {
            if (event instanceof RendezvousEvent.RoundChanged changed) {
                onRound(changed.round());
            } else if (event instanceof RendezvousEvent.MembershipLost) {
                rendezvous.update(node.phase(NodePhase.READY).reserved().record());
            }
        }

        private void onRound(Round round) {
            if (round.participant(node.nodeId).isPresent() && !round.suspended()) {
                seen = round.number();
                rendezvous.update(node.works(round).record());
            }
        }
    }
}
