/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the run knows of its checkpoints when every node is gone that had them. One node works at a time. */
final class RememberedCheckpointTest {
    private static final String RUN = "run";
    private static final String KEY = RunKeys.of(RUN).checkpoint();
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(1));
    private int nodes;

    @Test
    void checkpointed_everyNodeOfTheRoundIsGone_nextRoundReportsIt() {
        SimulatedNode first = startsAndWorks();
        SimulatedNode standby = starts();
        first.completes(new RunVersion(0, 7));

        first.loop.kill();

        assertThat(standby.worksIn(2).checkpoint()).isEqualTo(new RunVersion(0, 7));
    }

    @Test
    void checkpointed_nothing_nextRoundReportsNone() {
        SimulatedNode first = startsAndWorks();
        SimulatedNode standby = starts();

        first.loop.kill();

        assertThat(standby.worksIn(2).checkpoint()).isEqualTo(RunVersion.NONE);
    }

    @Test
    void checkpointed_allLost_laterLossDoesNotReportTheOldAgain() {
        SimulatedNode first = startsAndWorks();
        SimulatedNode second = starts();
        first.completes(new RunVersion(0, 7));
        first.loop.kill();
        second.worksIn(2);
        second.completes(RunVersion.lostIn(2));
        SimulatedNode third = starts();

        second.loop.kill();

        assertThat(third.worksIn(3).checkpoint()).isEqualTo(RunVersion.lostIn(2));
    }

    @Test
    void checkpointed_storeIsAwayWhenItIsAskedFor_isAskedForAgain() {
        SimulatedNode first = startsAndWorks();
        SimulatedNode standby = starts();
        first.completes(new RunVersion(0, 7));
        first.loop.kill();
        // In the midst of the election and of what follows from it, whenever that is.
        for (int i = 0; i < 300; i++) {
            pass(Duration.ofMillis(10));
            store.goDown(true);
            pass(Duration.ofMillis(10));
            store.comeBack(false);
        }

        assertThat(standby.worksIn(2).checkpoint()).isEqualTo(new RunVersion(0, 7));
    }

    @Test
    void checkpointed_afterTheNodeHasLeft_writesNothing() {
        SimulatedNode first = startsAndWorks();
        first.loop.execute(() -> {
            first.rendezvous.leave(false);
            first.rendezvous.checkpointed(new RunVersion(0, 7));
        });
        pass(PATIENCE);

        assertThat(store.names()).doesNotContain(KEY);
    }

    @Test
    void checkpointed_keyOfTheNodeIsGone_writesNothing() {
        SimulatedNode first = startsAndWorks();
        first.loop.freeze();
        pass(RendezvousNode.LEASE.multipliedBy(3));
        first.loop.thaw();
        first.loop.execute(() -> first.rendezvous.checkpointed(new RunVersion(0, 7)));
        pass(RendezvousNode.LEASE.dividedBy(4));

        assertThat(store.names()).doesNotContain(KEY);
    }

    private SimulatedNode startsAndWorks() {
        SimulatedNode node = starts();
        node.worksIn(1);
        return node;
    }

    private SimulatedNode starts() {
        SimulatedNode node = new SimulatedNode("n" + ++nodes, nodes);
        until(() -> node.joined);
        return node;
    }

    private boolean remembers(RunVersion version) {
        KeyValue entry = store.get(KEY);
        return entry != null && StoredRecord.checkpoint(entry).equals(version);
    }

    private void pass(Duration duration) {
        long endNanos = time.nowNanos() + duration.toNanos();
        while (time.step(endNanos)) {
            assertThat(time.posted()).isLessThan(1_000_000);
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
        private final NodeFixture node;
        private final Rendezvous rendezvous;
        private boolean joined;
        private Round works = Round.NONE;

        SimulatedNode(String nodeId, int number) {
            this.node = NodeFixture.of(nodeId, number);
            this.rendezvous = new Rendezvous(
                    store.connect(loop),
                    loop,
                    RendezvousNode.config(RUN, 1, RendezvousNode.LEASE, Duration.ofMinutes(1)),
                    RestartPolicies.byName("soft"),
                    node.record(),
                    new RunFounder("i-" + nodeId, new SecureRandom()),
                    this);
            loop.execute(rendezvous::start);
        }

        /** The round of this number, once this node works in it. */
        Round worksIn(long number) {
            until(() -> works.number() >= number);
            assertThat(works.number()).isEqualTo(number);
            return works;
        }

        void completes(RunVersion newest) {
            loop.execute(() -> rendezvous.checkpointed(newest));
            until(() -> remembers(newest));
        }

        @Override
        public void accept(RendezvousEvent event) {
            if (event instanceof RendezvousEvent.Joined) {
                joined = true;
            } else if (event instanceof RendezvousEvent.RoundChanged changed) {
                onRound(changed.round());
            } else if (event instanceof RendezvousEvent.MembershipLost) {
                rendezvous.update(node.phase(NodePhase.READY).reserved().record());
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
