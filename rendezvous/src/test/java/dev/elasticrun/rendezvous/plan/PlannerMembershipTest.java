/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that come, go and doubt themselves, under a soft policy. */
final class PlannerMembershipTest {

    @Test
    void nodeLost_survivorsAreSealedForFree() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.lose("a");

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b", "c");
        assertThat(round.participants()).extracting(Participant::firstRank).containsExactly(0, 1);
        assertThat(round.budgetUsed()).isZero();
        assertThat(round.causes()).containsExactly(new Cause.NodesLost(List.of("a")));
    }

    @Test
    void nodeLost_standbyIsThere_takesItsPlaceInTheSameRound() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.lose("a");

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b", "c");
        assertThat(round.number()).isEqualTo(2);
    }

    @Test
    void nodeLostAndBackBeforeTheSeal_costsOneRoundOfTheSameWorld() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.lose("b").join("b");

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(1);
    }

    @Test
    void nodeBackWithAnotherLife_isNotTheParticipant() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.lose("b").join("b").phase(NodePhase.STARTING);

        run.publishOne();

        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void newcomer_belowTheMaximum_isCollectedForTheScaleUpDelay() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b");
        run.join("c");

        Plan plan = run.plan();
        run.pass(Duration.ofMillis(400)).join("d").phase(NodePhase.STARTING);

        assertThat(PlannerFixture.untilDeadline(run, plan)).isEqualTo(Duration.ofMillis(100));
        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.pass(Duration.ofMillis(100));
        assertThat(run.publishOne().change()).isEqualTo(WorldChange.SCALE_UP);
        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void newcomer_fillsTheMaximum_isTakenAtOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a");
        run.join("b");

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.causes()).containsExactly(new Cause.NodesJoined(1));
    }

    @Test
    void newcomer_aboveTheMaximum_standsBy() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.join("c");

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void newcomer_notReady_pausesNobody() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a");
        run.join("b").phase(NodePhase.STARTING);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void newcomerCollected_nodeLostMeanwhile_oneRoundForBoth() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b");
        run.join("c");
        run.plan();
        run.lose("a");

        run.publishOne();

        assertThat(run.members()).containsExactly("b", "c");
    }

    @Test
    void belowMinimum_suspendsOnceAndWaitsForTheJoinTimeout() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.lose("b");

        Round suspended = run.publishOne();
        Plan plan = run.plan();

        assertThat(suspended.suspended()).isTrue();
        assertThat(suspended.number()).isEqualTo(1);
        assertThat(run.members()).containsExactly("a");
        assertThat(PlannerFixture.untilDeadline(run, plan)).isEqualTo(PlannerFixture.JOIN);
        assertThat(plan.gathering().kind()).isEqualTo(Gathering.Kind.BELOW_MINIMUM);
        assertThat(suspended.causes()).containsExactly(new Cause.NodesLost(List.of("b")));
    }

    @Test
    void belowMinimum_newNodeReady_goesOnWithIt() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.lose("b");
        run.publishOne();
        run.node("a").newMaster(run.round());
        run.join("c");

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.suspended()).isFalse();
        assertThat(run.members()).containsExactly("a", "c");
    }

    @Test
    void belowMinimum_joinTimeoutPasses_endsWithExit3() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.lose("b");
        run.publishOne();
        run.pass(PlannerFixture.JOIN);

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.reason()).contains("(a)", "b (lost)");
    }

    @Test
    void belowMinimum_anotherNodeLost_doesNotStartTheWaitAnew() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 3).running("a", "b", "c");
        run.lose("c");
        run.publishOne();
        run.pass(Duration.ofSeconds(500)).lose("b");

        assertThat(run.publishOne().participants()).hasSize(1);
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(Duration.ofSeconds(100));
    }

    @Test
    void fencedNode_isGivenOneRoundWithTheSameRanks() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.FENCED);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(1);
        assertThat(round.causes()).containsExactly(new Cause.NodesFenced(List.of("a")));
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void fencedNode_fencedAgainInTheNewRound_isGivenAnother() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.FENCED);
        run.publishOne();
        run.allWork().node("a").phase(NodePhase.FENCED);

        assertThat(run.publishOne().number()).isEqualTo(3);
    }

    @Test
    void drainingNode_isLeftOut() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DRAINING);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.causes()).containsExactly(new Cause.NodesLeaving(List.of("a")));
        assertThat(round.budgetUsed()).isZero();
    }

    @Test
    void drainingNode_belowMinimum_isTakenOutOfTheSuspendedRound() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DRAINING);

        run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(run.round().suspended()).isTrue();
    }

    @Test
    void brokenLink_noLossExplainsItInTime_reformsTheSameMembersOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").loses(1, 1);

        Plan wait = run.plan();
        assertThat(PlannerFixture.untilDeadline(run, wait)).isEqualTo(PlannerFixture.LINK_WAIT);
        run.pass(PlannerFixture.LINK_WAIT);
        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(1);
        assertThat(round.budgetUsed()).isZero();
        assertThat(run.members()).containsExactly("a", "b");
        run.pass(PlannerFixture.LEASE);
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void brokenLink_lossExplainsIt_isHandledAtOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").loses(1, 1);
        run.plan();
        run.lose("b");

        assertThat(run.publishOne().causes()).containsExactly(new Cause.NodesLost(List.of("b")));
    }

    @Test
    void brokenLink_ofAnOlderRound_isIgnored() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("a").loses(1, 1);
        run.lose("b");
        run.publishOne();
        run.pass(PlannerFixture.LEASE);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void takeover_coordinatorWithoutMemory_decidesTheSame() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("b").fails().phase(NodePhase.STARTING);

        Plan first = run.plan();
        Plan second = run.plan();

        assertThat(second.decision()).isEqualTo(first.decision());
    }

    @Test
    void tenNewcomers_withinTheScaleUpDelay_costOneRound() {
        PlannerFixture run = PlannerFixture.soft(1, 20, 3).running("a");
        run.join("slow").phase(NodePhase.STARTING);
        for (int i = 0; i < 10; i++) {
            run.join("n" + i);
            assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
            run.pass(Duration.ofMillis(50));
        }

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.participants()).hasSize(11);
    }

    @Test
    void newcomers_oneAfterAnother_extendNothing() {
        PlannerFixture run = PlannerFixture.soft(1, 20, 3).running("a");
        run.join("b");
        run.plan();
        run.pass(Duration.ofMillis(499)).join("c");
        run.plan();
        run.pass(Duration.ofMillis(1));

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void belowMinimum_namesWhoIsMissingAndHowTheyWent() {
        PlannerFixture run = PlannerFixture.soft(4, 5, 9).running("a", "b", "c", "d", "e");
        run.lose("b");
        run.publishOne();
        run.allWork().node("c").fails().phase(NodePhase.STARTING);
        run.node("d").phase(NodePhase.DRAINING);
        run.publishOne();
        run.node("c").generation(1);
        run.pass(Duration.ofSeconds(10));

        Plan plan = run.plan();

        assertThat(plan.reason()).contains("(a, e)", "c (worker failed, starting again)", "d (left)");
        assertThat(plan.reason()).doesNotContain("590");
        assertThat(plan.times()).contains("590 s");
    }

    @Test
    void belowMinimum_anotherCoordinatorTakesOver_namesThemToo() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 9).running("a", "b", "c");
        run.lose("b").lose("c");
        run.pass(PlannerFixture.LEASE).publishOne();
        run.takeover();

        assertThat(run.plan().reason()).contains("(a)", "b (lost), c (lost)");
    }

    @Test
    void slots_differBetweenNodes_ranksAreConsecutive() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3);
        run.join("a").slots(2);
        run.join("b");
        run.join("c").slots(3);

        Round round = run.publishOne();

        assertThat(round.participants()).extracting(Participant::firstRank).containsExactly(0, 2, 3);
        assertThat(round.worldSize()).isEqualTo(6);
        run.allWork().lose("b");
        assertThat(run.pass(PlannerFixture.LEASE).publishOne().participants())
                .extracting(Participant::firstRank)
                .containsExactly(0, 2);
    }

    @Test
    void memberThatTheStoreDoesNotReach_keepsThePortsThatTheRoundBeforeNamed() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("b").withoutPorts();
        run.lose("a");

        Participant member = run.publishOne().participant("b").orElseThrow();

        assertThat(member.seats()).extracting(Participant.Seat::port).containsExactly(4000);
        assertThat(member.firstRank()).isZero();
    }
}
