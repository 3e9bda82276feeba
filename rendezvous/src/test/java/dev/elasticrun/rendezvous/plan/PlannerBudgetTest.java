/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Restarts that come back, and those of nodes that cannot start their workers. */
class PlannerBudgetTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final RestartBudget TWO_A_MINUTE = new RestartBudget(2, MINUTE, Duration.ZERO);
    private static final RestartBudget REFUND = new RestartBudget(2, Duration.ZERO, MINUTE);

    private static PlannerFixture hard(RestartBudget budget) {
        return PlannerFixture.hard(1, 2, 0).budget(budget).running("a", "b");
    }

    @Test
    void window_asManyFailuresAsItHasWithinIt_endTheRun() {
        PlannerFixture run = hard(TWO_A_MINUTE);
        run.failsAndComesBack("a");
        run.pass(Duration.ofSeconds(20)).failsAndComesBack("a");
        run.node("a").fails();

        Verdict verdict = run.pass(Duration.ofSeconds(20)).end();

        assertThat(verdict.exitCode()).isEqualTo(4);
        assertThat(run.round().restarts()).isEqualTo(2);
    }

    @Test
    void window_failuresFurtherApart_neverEndTheRun() {
        PlannerFixture run = hard(TWO_A_MINUTE);

        for (int failures = 1; failures <= 6; failures++) {
            run.pass(Duration.ofSeconds(31));
            assertThat(run.failsAndComesBack("a").restarts()).isEqualTo(failures);
            assertThat(run.round().budgetUsed()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void window_anotherCoordinatorThatHasSeenTheRound_goesOnWithTheAges() {
        PlannerFixture run = hard(TWO_A_MINUTE);
        run.failsAndComesBack("a");
        run.failsAndComesBack("a");

        run.pass(MINUTE).takeover();

        assertThat(run.failsAndComesBack("a").budgetUsed()).isOne();
    }

    @Test
    void window_coordinatorThatHasJustCome_countsForLonger_neverShorter() {
        PlannerFixture run = hard(TWO_A_MINUTE);
        run.failsAndComesBack("a");
        run.failsAndComesBack("a");

        run.pass(MINUTE).takeoverByNewcomer();
        run.node("a").fails();

        assertThat(run.end().exitCode()).isEqualTo(4);
    }

    @Test
    void window_usesGrowOlder_whenACommandIsConsumed() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 0).budget(TWO_A_MINUTE).running("a", "b");
        run.failsAndComesBack("a");
        run.pass(Duration.ofSeconds(40));

        run.ask(Command.scale("r", 1, 2, false, "alice")).publish();

        assertThat(run.round().used().agesMillis().get(0)).isGreaterThanOrEqualTo(40_000);
    }

    @Test
    void refund_afterATimeWithANewCheckpoint_isWrittenAndTheRoundStays() {
        PlannerFixture run = hard(REFUND);
        Round before = run.failsAndComesBack("a");

        Round returned = run.pass(MINUTE).completes(5).publishOne();

        assertThat(before.budgetUsed()).isOne();
        assertThat(returned.budgetUsed()).isZero();
        assertThat(returned.used().returned()).isOne();
        assertThat(returned.restarts()).isOne();
        assertThat(returned.amends(before)).isTrue();
        assertThat(returned.checkpoint().version()).isEqualTo(5);
    }

    @Test
    void refund_isAwaited() {
        PlannerFixture run = hard(REFUND);
        run.failsAndComesBack("a");

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(MINUTE);
    }

    @Test
    void refund_withoutANewCheckpoint_doesNotCome() {
        PlannerFixture run = hard(REFUND);
        run.failsAndComesBack("a");

        Plan plan = run.pass(MINUTE.multipliedBy(3)).publish();

        assertThat(plan.decision()).isInstanceOf(Decision.Idle.class);
        assertThat(run.round().budgetUsed()).isOne();
    }

    @Test
    void refund_failureBeforeItsTime_beginsAnew() {
        PlannerFixture run = hard(REFUND);
        run.failsAndComesBack("a");
        run.pass(Duration.ofSeconds(50)).completes(5).failsAndComesBack("a");

        Plan plan = run.pass(Duration.ofSeconds(50)).completes(9).publish();

        assertThat(PlannerFixture.untilDeadline(run, plan)).isEqualTo(Duration.ofSeconds(10));
        assertThat(run.round().budgetUsed()).isEqualTo(2);
    }

    @Test
    void backingOff_budgetLeft_mayStart_andThatIsCharged() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a");
        run.join("b").generation(4).fails().phase(NodePhase.BACKING_OFF);

        Round round = run.publishOne();

        assertThat(round.order("b")).contains(new Order("b", Order.Kind.START, 4));
        assertThat(round.budgetUsed()).isOne();
        assertThat(round.number()).isOne();
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void backingOff_mayStartAlready_isChargedOnce_andAgainWhenThatFailed() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a");
        run.join("b").generation(4).fails().phase(NodePhase.BACKING_OFF);
        run.publishOne();
        assertThat(run.takeover().publish().decision()).isInstanceOf(Decision.Idle.class);

        run.node("b").generation(5).fails();

        assertThat(run.publishOne().budgetUsed()).isEqualTo(2);
        assertThat(run.round().order("b")).contains(new Order("b", Order.Kind.START, 5));
    }

    @Test
    void backingOff_mayStart_isAwayDuringARound_isNotChargedAgain() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 5).running("a", "c");
        NodeFixture node = run.join("b").generation(4).fails().phase(NodePhase.BACKING_OFF);
        run.publishOne();
        run.lose("b").lose("c").publish();

        run.rejoin(node).publish();

        assertThat(run.round().number()).isEqualTo(2);
        assertThat(run.round().budgetUsed()).isOne();
    }

    @Test
    void backingOff_recordOlderThanTheOrder_isNotChargedAgain() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 5).running("a");
        run.join("b").generation(5).fails().phase(NodePhase.BACKING_OFF);
        run.publishOne();

        run.takeover().node("b").generation(4);

        assertThat(run.publish().decision()).isInstanceOf(Decision.Idle.class);
        assertThat(run.round().order("b")).contains(new Order("b", Order.Kind.START, 5));
    }

    @Test
    void backingOff_noBudgetLeft_leaves_whileOthersWork() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 0).running("a");
        run.join("b").generation(4).fails().phase(NodePhase.BACKING_OFF);

        assertThat(run.publishOne().order("b")).contains(new Order("b", Order.Kind.LEAVE, 4));
    }

    @Test
    void backingOff_noBudgetLeft_andNobodyElse_endsTheRun() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 1);
        run.join("a").generation(4).fails().phase(NodePhase.BACKING_OFF);
        Round first = run.publishOne();
        run.node("a").generation(5).fails();

        Verdict verdict = run.end();

        assertThat(first.number()).isZero();
        assertThat(first.budgetUsed()).isOne();
        assertThat(verdict.exitCode()).isEqualTo(4);
        assertThat(verdict.reason()).isEqualTo("no node can start its workers, and no restart is left");
    }

    @Test
    void backingOff_memberOfTheRound_isOutOfIt_andTheOthersGoOn() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 5).running("a", "b");
        run.node("b").fails();
        run.publish();
        run.node("b").generation(6).phase(NodePhase.BACKING_OFF);

        run.publish();

        assertThat(run.members()).containsExactly("a");
        assertThat(run.round().order("b")).contains(new Order("b", Order.Kind.START, 6));
    }

    @Test
    void backingOff_recordOlderThanItsPlace_staysInTheRoundAndIsNotCharged() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 5).running("a");
        run.join("b").generation(4).fails().phase(NodePhase.BACKING_OFF);
        run.publishOne();
        run.node("b").generation(5).phase(NodePhase.READY);
        run.nextSealed();
        run.allWork().takeover();
        run.node("b").generation(4).acknowledged(0).phase(NodePhase.BACKING_OFF);

        Plan plan = run.publish();

        assertThat(plan.decision()).isInstanceOf(Decision.Idle.class);
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.round().budgetUsed()).isOne();
        run.lose("a");
        assertThat(run.publishOne().participant("b").orElseThrow().generation()).isEqualTo(5);
    }

    @Test
    void backingOff_startsAgain_isReady_joins() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a");
        run.join("b").generation(4).fails().phase(NodePhase.BACKING_OFF);
        run.publishOne();

        run.node("b").generation(5).phase(NodePhase.READY);

        assertThat(run.nextSealed().participants()).hasSize(2);
        assertThat(run.round().order("b")).isEmpty();
    }
}
