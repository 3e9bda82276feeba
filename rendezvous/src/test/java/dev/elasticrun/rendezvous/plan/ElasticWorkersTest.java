/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.SoftElastic;
import dev.elasticrun.rendezvous.restart.SoftReplace;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Rounds without single workers of their nodes. */
final class ElasticWorkersTest {

    /** Nodes a and b of two workers each, at work. */
    private static PlannerFixture running(int min, int budget) {
        PlannerFixture run = PlannerFixture.of(new SoftElastic(), min, 2, budget);
        run.join("a").slots(2);
        run.join("b").slots(2);
        assertThat(run.publishOne().worldSize()).isEqualTo(4);
        return run.allWork();
    }

    private static List<Integer> slots(Round round, String nodeId) {
        return round.participant(nodeId).orElseThrow().seats().stream()
                .map(Participant.Seat::slot)
                .toList();
    }

    @Test
    void workerFails_allOthersContinueAtOnceWithOneRankLess() {
        PlannerFixture run = running(1, 3);
        run.node("a").slotFails(0);

        Round round = run.publishOne();

        assertThat(round.suspended()).isFalse();
        assertThat(slots(round, "a")).containsExactly(1);
        assertThat(slots(round, "b")).containsExactly(0, 1);
        assertThat(round.participants()).extracting(Participant::firstRank).containsExactly(0, 1);
        assertThat(round.worldSize()).isEqualTo(3);
        assertThat(round.world()).isEqualTo(round.number());
        assertThat(round.change()).isEqualTo(WorldChange.SCALE_DOWN);
        assertThat(round.budgetUsed()).isOne();
        assertThat(round.orders()).isEmpty();
        assertThat(run.allWork().publish().decision()).isInstanceOf(Decision.Idle.class);
    }

    @Test
    void freshWorkerReady_getsARankWhenNobodyElseIsAwaited() {
        PlannerFixture run = running(1, 3);
        run.node("a").slotFails(0);
        run.publishOne();
        run.allWork().node("a").slotStarts(0);
        assertThat(run.publish().decision()).isInstanceOf(Decision.Idle.class);

        run.node("a").slotIsReady(0);
        Round round = run.publishOne();

        assertThat(round.participant("a").orElseThrow().seats())
                .extracting(Participant.Seat::slot, Participant.Seat::attempt)
                .containsExactly(Tuple.tuple(1, 0), Tuple.tuple(0, 1));
        assertThat(round.causes()).containsExactly(new Cause.WorkersJoined(1));
        assertThat(round.change()).isEqualTo(WorldChange.SCALE_UP);
        assertThat(round.budgetUsed()).isOne();
    }

    @Test
    void severalFreshWorkers_shareOneRound() {
        PlannerFixture run = running(1, 3);
        run.node("a").slotFails(0);
        run.node("b").slotFails(1);
        assertThat(run.publishOne().worldSize()).isEqualTo(2);
        run.allWork().node("a").slotStarts(0).slotIsReady(0);
        run.node("b").slotStarts(1);

        assertThat(run.publish().decision()).isInstanceOf(Decision.Wait.class);
        run.node("b").slotIsReady(1);

        assertThat(run.publishOne().worldSize()).isEqualTo(4);
        assertThat(run.round().budgetUsed()).isEqualTo(2);
    }

    @Test
    void slowFreshWorker_isNotAwaitedForLongerThanTheScaleUpDelay() {
        PlannerFixture run = running(1, 3);
        run.node("a").slotFails(0);
        run.node("b").slotFails(1);
        run.publishOne();
        run.allWork().node("a").slotStarts(0).slotIsReady(0);
        run.node("b").slotStarts(1);
        run.publish();

        assertThat(run.pass(PlannerFixture.SCALE_UP).publishOne().worldSize()).isEqualTo(3);
    }

    @Test
    void restartIsOrdered_workerWasReplacedMeanwhile_itsNodeJoinsOnceAllItsWorkersAreFresh() {
        PlannerFixture run = running(1, 3);
        run.node("a").slotFails(0);
        run.publishOne();
        run.allWork();
        run.ask(Command.restart("r", "alice")).publish();
        Order order = new Order("a", Order.Kind.RESTART, 0);
        assertThat(run.round().orders()).contains(order);

        NodeFixture a = run.node("a").slotStarts(0).slotIsReady(0).phase(NodePhase.READY);
        run.publish();
        assertThat(run.members()).doesNotContain("a");
        assertThat(run.round().orders()).contains(order);

        a.slotStarts(0).slotStarts(1).slotIsReady(0).slotIsReady(1).newMaster(run.round());
        run.node("b").restarted();
        assertThat(run.publishOne().worldSize()).isEqualTo(4);
        assertThat(run.round().orders()).isEmpty();
    }

    @Test
    void allWorkersOfANodeFail_itJoinsAgainWithFreshOnes() {
        PlannerFixture run = running(1, 3);
        NodeFixture a = run.node("a").slotFails(0).slotFails(1).phase(NodePhase.STARTING);

        Round without = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(without.orders()).containsExactly(new Order("a", Order.Kind.REPLACE, 0));
        assertThat(without.budgetUsed()).isOne();
        run.allWorkOf("b");
        a.slotStarts(0).slotStarts(1).slotIsReady(0).slotIsReady(1).phase(NodePhase.READY);
        assertThat(run.publishOne().worldSize()).isEqualTo(4);
        assertThat(run.round().orders()).isEmpty();
    }

    @Test
    void allWorkersOfANodeFail_recordFromBeforeThat_isNoNewcomer() {
        PlannerFixture run = running(1, 3);
        run.node("a").slotFails(0).slotFails(1).phase(NodePhase.STARTING);
        run.publishOne();
        run.lose("a");
        NodeFixture stale = run.join("a").slots(2).phase(NodePhase.STANDBY);

        assertThat(stale.record().generation()).isZero();
        run.allWorkOf("b").takeover().publish();
        assertThat(run.pass(PlannerFixture.SCALE_UP).publish().decision()).isInstanceOf(Decision.Idle.class);
        assertThat(run.members()).containsExactly("b");
    }

    @Test
    void noRestartLeft_theOthersContinueForGood() {
        PlannerFixture run = running(1, 0);
        run.node("a").slotFails(0);

        Round round = run.publishOne();

        assertThat(slots(round, "a")).containsExactly(1);
        assertThat(round.budgetUsed()).isZero();
        assertThat(round.orders()).containsExactly(new Order("a", Order.Kind.SHRINK, 0));
        run.allWork().lose("b");
        run.pass(PlannerFixture.LEASE).publish();
        assertThat(run.round().orders()).containsExactly(new Order("a", Order.Kind.SHRINK, 0));
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void noRestartLeft_lastWorkerOfANodeFails_itLeaves() {
        PlannerFixture run = running(1, 0);
        run.node("a").slotFails(0).slotFails(1).phase(NodePhase.STARTING);

        assertThat(run.publishOne().orders()).containsExactly(new Order("a", Order.Kind.LEAVE, 0));
        assertThat(run.members()).containsExactly("b");
    }

    @Test
    void noRestartLeft_allWorkersFail_theRunEnds() {
        PlannerFixture run = running(1, 0);
        for (String nodeId : List.of("a", "b")) {
            run.node(nodeId).slotFails(0).slotFails(1).phase(NodePhase.STARTING);
        }

        assertThat(run.end().reason()).contains("no restart is left for a, b");
    }

    @Test
    void belowTheMinimum_theFailureIsChargedOnce() {
        PlannerFixture run = running(2, 3);
        run.node("a").slotFails(0);
        run.lose("b");

        Round suspended = run.publishOne();

        assertThat(suspended.suspended()).isTrue();
        assertThat(slots(suspended, "a")).containsExactly(1);
        run.publish();
        assertThat(run.round().budgetUsed()).isOne();
        run.join("c").slots(2);
        assertThat(run.publishOne().worldSize()).isEqualTo(3);
        assertThat(run.round().budgetUsed()).isOne();
        assertThat(run.round().world()).isEqualTo(run.round().number());
    }

    /** Its agent has reported the failure to the coordinator alone, which is gone. */
    @Test
    void recordFromBeforeTheRound_failedWorkerGetsNoRankAgain() {
        PlannerFixture run = PlannerFixture.of(new SoftElastic(), 1, 3, 3);
        run.join("a");
        run.join("b").slots(2);
        run.join("c");
        run.publishOne();
        run.allWork().node("b").slotFails(0);
        run.publishOne();
        run.allWorkOf("a", "c").node("b").fromBeforeItFailed();
        run.lose("c");

        Round next = run.takeover().publishOne();

        assertThat(slots(next, "b")).containsExactly(1);
        assertThat(next.budgetUsed()).isOne();
    }

    @Test
    void spare_takesTheRankOfAFailedWorkerAtOnceAndTheFreshOneWaits() {
        PlannerFixture run = PlannerFixture.of(new SoftElastic(), 1, 1, 3);
        NodeFixture a = run.join("a").slots(2).spares(1);
        assertThat(run.publishOne().worldSize()).isEqualTo(2);
        run.allWork();
        a.slotFails(0);

        Round round = run.publishOne();

        assertThat(slots(round, "a")).containsExactly(2, 1);
        assertThat(round.budgetUsed()).isOne();
        run.allWork();
        a.slotStarts(0).slotIsReady(0);
        assertThat(run.publish().decision()).isInstanceOf(Decision.Idle.class);
        a.slotFails(2);
        assertThat(slots(run.publishOne(), "a")).containsExactly(0, 1);
    }

    /** A node of two workers and a spare, and one of two. */
    private static PlannerFixture waiting(int budget) {
        PlannerFixture run = PlannerFixture.of(new SoftReplace().withSpares().orElseThrow(), 1, 2, budget);
        run.join("a").slots(2).spares(1);
        run.join("b").slots(2);
        assertThat(run.publishOne().worldSize()).isEqualTo(4);
        return run.allWork();
    }

    @Test
    void waitsForWorkers_spareIsReady_takesTheRankAtOnce() {
        PlannerFixture run = waiting(3);
        run.node("a").slotFails(0);

        Round round = run.publishOne();

        assertThat(round.suspended()).isFalse();
        assertThat(slots(round, "a")).containsExactly(2, 1);
        assertThat(round.worldSize()).isEqualTo(4);
        assertThat(round.change()).isEqualTo(WorldChange.NONE);
    }

    @Test
    void waitsForWorkers_noSpareIsReady_allWaitForTheFreshOne() {
        PlannerFixture run = waiting(3);
        run.node("b").slotFails(0);

        Round suspended = run.publishOne();

        assertThat(suspended.suspended()).isTrue();
        assertThat(slots(suspended, "b")).containsExactly(1);
        assertThat(suspended.budgetUsed()).isOne();
        assertThat(run.publish().reason()).contains("waiting for the replaced workers of b to report READY");
        run.node("b").slotStarts(0);
        assertThat(run.publish().decision()).isInstanceOf(Decision.Wait.class);
        run.node("b").slotIsReady(0);
        Round round = run.publishOne();
        assertThat(round.worldSize()).isEqualTo(4);
        assertThat(slots(round, "b")).containsExactly(1, 0);
        assertThat(round.budgetUsed()).isOne();
    }

    @Test
    void waitsForWorkers_freshOneFailsBeforeItIsReady_theOthersContinueWithoutIt() {
        PlannerFixture run = waiting(3);
        run.node("b").slotFails(0);
        run.publishOne();
        run.node("b").slotStarts(0);
        run.publish();
        run.node("b").slotFails(0);

        Round round = run.publishOne();

        assertThat(round.suspended()).isFalse();
        assertThat(slots(round, "b")).containsExactly(1);
    }

    @Test
    void waitsForWorkers_noRestartLeft_theNodeLeaves() {
        PlannerFixture run = waiting(0);
        run.node("b").slotFails(0);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a");
        assertThat(round.orders()).containsExactly(new Order("b", Order.Kind.LEAVE, 0));
    }
}
