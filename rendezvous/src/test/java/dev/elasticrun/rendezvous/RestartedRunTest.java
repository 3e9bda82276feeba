/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.CountingStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same run id after a success: agents that were started for it, and agents that come too late for the old one. And
 * what is left of a run that nobody is left to end.
 */
final class RestartedRunTest {
    private static final String RUN = "run";
    private static final RunKeys KEYS = RunKeys.of(RUN);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(1));

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 300, 999, 2500})
    void agent_startedAfterASuccess_beginsANewIncarnation(int millisLater) {
        succeed("first");
        pass(Duration.ofMillis(millisLater));

        SimulatedNode second = start("second", Duration.ZERO);
        until(() -> second.works.number() == 1);

        assertThat(second.incarnation).isEqualTo("i-second");
        assertThat(second.verdict).isNull();
    }

    @Test
    void agent_startedAfterASuccessOfTheSameRunTwice_beginsANewIncarnationEachTime() {
        assertThat(List.of(succeed("first").incarnation, succeed("second").incarnation, succeed("third").incarnation))
                .containsExactly("i-first", "i-second", "i-third");
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 2000, 30_000})
    void agent_startedBeforeTheSuccess_endsWithItAndReportsThatNothingWasStarted(int millisLater) {
        succeed("first");
        pass(Duration.ofMillis(millisLater));

        SimulatedNode late = start("late", Duration.ofMillis(millisLater + 600));
        until(() -> late.verdict != null);

        Verdict reported = Objects.requireNonNull(late.verdict, "verdict");
        assertThat(reported.succeeded()).isTrue();
        assertThat(reported.reason()).matches("run run succeeded \\d+ s ago, .*");
        assertThat(late.incarnation).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999, 30_000})
    void agent_startsOnce_endsWithASuccessThatCameFirst(int millisLater) {
        succeed("first");
        pass(Duration.ofMillis(millisLater));

        SimulatedNode again = new SimulatedNode("again", Duration.ZERO, true);
        until(() -> again.verdict != null);

        Verdict reported = Objects.requireNonNull(again.verdict, "verdict");
        assertThat(reported.succeeded()).isTrue();
        assertThat(reported.reason()).endsWith("nothing was started here");
        assertThat(again.incarnation).isEmpty();
    }

    @Test
    void agent_oldNodesStillLive_waitsForThemAndReportsIt() {
        SimulatedNode first = start("first", Duration.ZERO);
        SimulatedNode lasting = start("lasting", Duration.ZERO);
        until(() -> first.works.participants().size() == 2
                && lasting.works.participants().size() == 2);
        first.done();
        lasting.done();
        until(() -> first.verdict != null && lasting.verdict != null);
        first.leave();
        pass(Duration.ofSeconds(2));

        SimulatedNode second = start("second", Duration.ZERO);
        pass(Duration.ofSeconds(15));
        assertThat(second.incarnation).isEmpty();
        assertThat(second.verdict).isNull();
        assertThat(second.waiting).hasSize(2).allMatch(reason -> reason.startsWith("run run "));

        lasting.leave();
        until(() -> second.works.number() == 1);
        assertThat(second.incarnation).isEqualTo("i-second");
    }

    @Test
    void agent_losesItsLeaseWhileItWaits_looksNoMoreOftenThanBefore() {
        SimulatedNode first = start("first", Duration.ZERO);
        SimulatedNode lasting = start("lasting", Duration.ZERO);
        until(() -> first.works.participants().size() == 2
                && lasting.works.participants().size() == 2);
        first.done();
        lasting.done();
        until(() -> first.verdict != null && lasting.verdict != null);
        pass(Duration.ofSeconds(2));
        SimulatedNode second = start("second", Duration.ZERO);
        pass(Duration.ofSeconds(5));
        long before = second.keysReadIn(Duration.ofSeconds(5));

        for (int i = 0; i < 5; i++) {
            long lease = second.counted.lease;
            second.loop.execute(() -> second.counted.revokeLease(lease));
            until(() -> second.counted.lease != lease);
        }

        assertThat(second.keysReadIn(Duration.ofSeconds(5))).isBetween(before / 2, before * 3 / 2);
        assertThat(second.incarnation).isEmpty();
    }

    @Test
    void agent_idOfALiveOne_isRefusedAndTheOtherWorksOn() {
        SimulatedNode other = start("other", Duration.ZERO);
        SimulatedNode one = start("twin", Duration.ZERO);
        until(() -> other.works.participants().size() == 2);
        SimulatedNode two = start("twin", Duration.ZERO);

        until(() -> !two.refused.isEmpty());

        assertThat(two.refused).startsWith("node id: twin (expected: ");
        assertThat(two.incarnation).isEmpty();
        assertThat(List.of(other.works.number(), one.works.number())).containsExactly(1L, 1L);
        assertThat(one.losses + other.losses).isZero();
    }

    @Test
    void agents_startedAtOnceAfterASuccess_shareOneNewIncarnation() {
        succeed("first");
        pass(Duration.ofMillis(400));

        List<SimulatedNode> nodes = IntStream.range(0, 5)
                .mapToObj(i -> start("n" + i, Duration.ZERO))
                .toList();
        until(() -> nodes.stream().allMatch(node -> node.works.participants().size() == 5));

        assertThat(nodes.stream().map(node -> node.incarnation).distinct()).hasSize(1);
        assertThat(nodes).allMatch(node -> node.verdict == null);
    }

    /** The secret is among them. */
    @Test
    void run_allItsAgentsAreKilled_itsKeysEndByThemselves() {
        SimulatedNode first = start("first", Duration.ZERO);
        SimulatedNode second = start("second", Duration.ZERO);
        until(() -> first.works.participants().size() == 2
                && second.works.participants().size() == 2);
        first.loop.execute(() -> first.rendezvous.checkpointed(new RunVersion(1, 1)));
        pass(Duration.ofSeconds(1));
        first.loop.kill();
        second.loop.kill();

        pass(Duration.ofHours(19));
        assertThat(store.names()).contains(KEYS.spec(), KEYS.round(), KEYS.admission());
        pass(Duration.ofHours(6));
        assertThat(store.names()).isEmpty();
    }

    @Test
    @Tag("slow")
    void run_lastsLongerThanItsKeysWould_keepsThemWhoeverCreatedIt() {
        SimulatedNode first = start("first", Duration.ZERO);
        SimulatedNode second = start("second", Duration.ofMillis(1));
        until(() -> first.works.participants().size() == 2
                && second.works.participants().size() == 2);
        first.loop.kill();
        until(() -> second.works.participants().size() == 1);

        pass(Duration.ofHours(50));
        assertThat(store.names()).contains(KEYS.spec(), KEYS.round(), KEYS.admission());
        assertThat(second.losses).isZero();

        second.done();
        until(() -> second.verdict != null);
        second.leave();
        pass(Duration.ofSeconds(1));
        assertThat(store.names()).containsExactly(KEYS.verdict());
    }

    /** A run of one node, from its start to its end. */
    private SimulatedNode succeed(String nodeId) {
        SimulatedNode node = start(nodeId, Duration.ZERO);
        until(() -> node.works.number() == 1);
        node.done();
        until(() -> node.verdict != null);
        node.leave();
        pass(Duration.ofMillis(300));
        return node;
    }

    private SimulatedNode start(String nodeId, Duration ago) {
        return new SimulatedNode(nodeId, ago, false);
    }

    private void pass(Duration duration) {
        long endNanos = time.nowNanos() + duration.toNanos();
        boolean[] over = {false};
        time.after(duration, () -> over[0] = true);
        while (!over[0]) {
            assertThat(time.step(endNanos)).isTrue();
        }
    }

    private void until(BooleanSupplier condition) {
        long endNanos = time.nowNanos() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(time.step(endNanos)).as("within " + PATIENCE).isTrue();
        }
    }

    /** An agent whose workers are always ready and do as rounds require. */
    private final class SimulatedNode implements Consumer<RendezvousEvent> {
        private final SimulatedLoop loop = new SimulatedLoop(time);
        private final CountingStore counted = new CountingStore(store.connect(loop));
        private final NodeFixture node;
        private final Rendezvous rendezvous;
        private final List<String> waiting = new ArrayList<>();
        private String refused = "";
        private int losses;
        private String incarnation = "";
        private Round works = Round.NONE;
        private @Nullable Verdict verdict;

        SimulatedNode(String nodeId, Duration ago, boolean once) {
            this.node = NodeFixture.of(nodeId, Math.floorMod(nodeId.hashCode(), 400));
            this.rendezvous = new Rendezvous(
                    counted,
                    loop,
                    RendezvousNode.config(RUN, 5, RendezvousNode.LEASE, Duration.ofMinutes(1)),
                    RestartPolicies.byName("soft-no-replace"),
                    node.record(),
                    new RunFounder("i-" + nodeId, new SecureRandom()),
                    this);
            long startedNanos = time.nowNanos() - ago.toNanos();
            loop.execute(() -> {
                rendezvous.startedAt(startedNanos);
                if (once) {
                    rendezvous.startsOnce();
                }
                rendezvous.start();
            });
        }

        long keysReadIn(Duration duration) {
            long before = counted.keysRead.sum();
            pass(duration);
            return counted.keysRead.sum() - before;
        }

        void done() {
            loop.execute(() -> rendezvous.update(node.phase(NodePhase.DONE).record()));
        }

        void leave() {
            loop.execute(() -> rendezvous.leave(false));
        }

        @Override
        public void accept(RendezvousEvent event) {
            if (event instanceof RendezvousEvent.MembershipLost) {
                losses++;
            } else if (event instanceof RendezvousEvent.Joined joined) {
                incarnation = joined.identity().incarnation();
            } else if (event instanceof RendezvousEvent.RoundChanged changed) {
                onRound(changed.round());
            } else if (event instanceof RendezvousEvent.RunEnded end) {
                verdict = end.verdict();
            } else if (event instanceof RendezvousEvent.Refused refusal) {
                refused = refusal.reason();
            } else if (event instanceof RendezvousEvent.Waiting wait && incarnation.isEmpty()) {
                waiting.add(wait.reason());
            }
        }

        private void onRound(Round round) {
            if (round.participant(node.nodeId).isPresent() && !round.suspended()) {
                works = round;
                rendezvous.update(node.works(round).record());
            }
        }
    }
}
