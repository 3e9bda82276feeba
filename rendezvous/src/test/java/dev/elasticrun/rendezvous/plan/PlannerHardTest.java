/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlannerHardTest {

    @Test
    void workerFails_stopsAllAndKeepsAllAsMembers() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.node("b").fails();

        Round suspended = run.publishOne();

        assertThat(suspended.suspended()).isTrue();
        assertThat(suspended.number()).isEqualTo(1);
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(suspended.budgetUsed()).isEqualTo(1);
        assertThat(suspended.orders()).isEmpty();
    }

    @Test
    void workersClosedTheirLinks_stopsAllWithoutCharge() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.FENCED);
        run.node("b").phase(NodePhase.FENCED);

        Round suspended = run.publishOne();

        assertThat(suspended.suspended()).isTrue();
        assertThat(suspended.budgetUsed()).isZero();
        assertThat(suspended.causes()).containsExactly(new Cause.NodesFenced(List.of("a", "b")));
    }

    @Test
    void stopped_someProcessesLeft_waitsWithoutDeadlineAndNamesTheNode() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.node("b").fails();
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();

        Plan plan = run.plan();

        assertThat(plan.decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        assertThat(plan.gathering().kind()).isEqualTo(Gathering.Kind.STOPPED);
        assertThat(plan.reason()).contains(" b ").doesNotContain(" a ");
    }

    @Test
    void stopped_allGone_sealsWithFreshGroups() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        Round first = run.round();
        run.node("b").fails();
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();
        run.node("b").stopped(run.round()).reserved();

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.suspended()).isFalse();
        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(round.participants()).extracting(Participant::generation).containsExactly(1, 1);
        assertThat(round.master().port()).isNotEqualTo(first.master().port());
        assertThat(round.causes()).containsExactly(new Cause.WorkersFailed(List.of("b")));
    }

    @Test
    void stopped_nextGroupHasNoPortsYet_isWaitedFor() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.node("b").fails();
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();
        run.node("b").stopped(run.round());

        assertThat(run.plan().decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        run.node("b").reserved();
        assertThat(run.publishOne().participants()).hasSize(2);
    }

    @Test
    void workersOfTwoNodesFail_costOneRestart() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.node("a").fails();
        run.publishOne();
        run.node("b").fails();
        run.node("a").stopped(run.round()).reserved();
        run.node("b").stopped(run.round()).reserved();

        assertThat(run.publishOne().budgetUsed()).isEqualTo(1);
        run.allWork();
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void nodeLost_restartsTheOthersForFree() {
        PlannerFixture run = PlannerFixture.hard(1, 2, 3).running("a", "b");
        run.lose("a");

        Round suspended = run.publishOne();
        assertThat(suspended.budgetUsed()).isZero();
        assertThat(run.members()).containsExactly("b");
        run.node("b").stopped(run.round()).reserved();

        assertThat(run.publishOne().participants()).hasSize(1);
        assertThat(run.round().change()).isEqualTo(WorldChange.NONE);
    }

    @Test
    void nodeJoins_restartsAllForFree() {
        PlannerFixture run = PlannerFixture.hard(1, 2, 0).running("a");
        run.join("b");
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.budgetUsed()).isZero();
        assertThat(round.causes()).containsExactly(new Cause.NodesJoined(1));
    }

    @Test
    void nodeLostWhileStopping_isNotWaitedFor() {
        PlannerFixture run = PlannerFixture.hard(1, 2, 3).running("a", "b");
        run.node("b").fails();
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();
        run.lose("b");

        run.publishOne();

        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void belowMinimum_waitsAndThenEndsWithExit3() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.lose("b");
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.JOIN);
        run.pass(PlannerFixture.JOIN);
        assertThat(run.end().exitCode()).isEqualTo(3);
    }

    @Test
    void workerFails_budgetUsedUp_endsWithExit4() {
        PlannerFixture run = PlannerFixture.hard(1, 1, 1).running("a");
        run.node("a").fails();
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();
        run.publishOne();
        run.allWork().node("a").fails();

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(4);
        assertThat(verdict.causes()).containsExactly(new Cause.WorkersFailed(List.of("a")));
        assertThat(verdict.failures()).extracting(Failure::attempt).containsExactly(1);
    }

    @Test
    void workerFails_noBudgetFromTheStart_endsWithExit1() {
        PlannerFixture run = PlannerFixture.hard(1, 1, 0).running("a");
        run.node("a").fails();

        assertThat(run.end().exitCode()).isEqualTo(1);
    }

    @Test
    void workerFails_noRestartIsLeftAndOthersAreThere_waitsAMomentForAnEarlierFailure() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 0).running("a", "b");
        run.node("a").fails();
        Plan plan = run.publish();
        assertThat(plan.decision()).isInstanceOf(Decision.Wait.class);
        run.pass(PlannerFixture.CAUSES.dividedBy(2)).node("b").fails();
        assertThat(run.publish().decision()).isInstanceOf(Decision.Wait.class);

        assertThat(run.pass(PlannerFixture.CAUSES.dividedBy(2)).publish().decision())
                .isInstanceOfSatisfying(
                        Decision.End.class,
                        end -> assertThat(end.verdict().failures()).hasSize(2));
    }

    @Test
    void verdict_collateralFailures_comeLast() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 0).running("a", "b");
        run.node("a").fails(true);
        run.node("b").fails();

        assertThat(run.end().failures()).extracting(Failure::nodeId).containsExactly("b", "a");
    }

    @Test
    void nodeCannotStartAndIsAlone_endsWithExit1() {
        PlannerFixture run = PlannerFixture.hard(1, 1, 3).running("a");
        run.node("a").fails();
        run.publishOne();
        run.node("a").fails().phase(NodePhase.BROKEN);

        assertThat(run.end().exitCode()).isEqualTo(1);
    }

    private static void stopAndStart(PlannerFixture run) {
        run.publishOne();
        run.round()
                .participants()
                .forEach(place -> run.node(place.nodeId()).stopped(run.round()).reserved());
        run.publishOne();
        run.allWork();
    }

    @Test
    void workersNeverRan_restartIsFree() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 1).running("a", "b");
        run.node("b").failsToStart();

        Round suspended = run.publishOne();

        assertThat(suspended.suspended()).isTrue();
        assertThat(suspended.budgetUsed()).isZero();
        assertThat(suspended.causes()).containsExactly(new Cause.WorkersFailed(List.of("b"), List.of(), true));
    }

    @Test
    void workersNeverRan_againAndAgain_isNeverCharged() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 1).running("a", "b");
        for (int i = 0; i < 3; i++) {
            run.node("b").failsToStart();
            stopAndStart(run);
            assertThat(run.round().budgetUsed()).isZero();
        }
    }

    @Test
    void onlyCollateralFailures_freeOnceThenChargedOnceEach() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 2).running("a", "b");
        for (int expected : new int[] {0, 1, 2}) {
            run.node("a").fails(true);
            run.node("b").fails(true);
            stopAndStart(run);
            assertThat(run.round().budgetUsed()).isEqualTo(expected);
        }
        run.node("a").fails(true);
        assertThat(run.end().exitCode()).isEqualTo(4);
    }

    @Test
    void onlyCollateralFailures_coordinatorChangesBetween_secondIsChargedAllTheSame() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 2).running("a", "b");
        run.node("a").fails(true);
        stopAndStart(run);
        run.takeover().node("b").fails(true);

        assertThat(run.publishOne().budgetUsed()).isEqualTo(1);
    }

    @Test
    void onlyCollateralFailures_roundStoodLongBetween_isFreeAgain() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 2).running("a", "b");
        run.node("a").fails(true);
        stopAndStart(run);
        run.plan();
        run.pass(AdmissionDelay.FORGET);
        run.node("a").fails(true);

        assertThat(run.publishOne().budgetUsed()).isZero();
    }

    @Test
    void onlyCollateralFailures_aLossExplainsThem_areFree() {
        PlannerFixture run = PlannerFixture.hard(1, 3, 2).running("a", "b", "c");
        run.node("a").fails(true);
        stopAndStart(run);
        run.node("a").fails(true);
        run.lose("c");

        assertThat(run.publishOne().budgetUsed()).isZero();
    }

    @Test
    void nodeLost_spareIsThere_takesItsPlaceInOneRound() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.lose("b");
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "c");
        assertThat(round.number()).isEqualTo(2);
        run.allWork().join("b").phase(NodePhase.STANDBY);
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }
}
