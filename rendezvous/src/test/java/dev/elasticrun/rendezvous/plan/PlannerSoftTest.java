/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.UsedMaster;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlannerSoftTest {

    @Test
    void running_allWell_isIdle() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void workerFails_sealsTheOthersAndOrdersARestart() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("b").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(2);
        assertThat(run.members()).containsExactly("a", "c");
        assertThat(round.orders()).containsExactly(new Order("b", Order.Kind.RESTART, 0));
        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(round.change()).isEqualTo(WorldChange.SCALE_DOWN);
        assertThat(round.causes()).containsExactly(new Cause.WorkersFailed(List.of("b")));
    }

    @Test
    void workerFails_nodeComesBackReady_joinsLastAndIsFree() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.allWork().node("a").generation(1).phase(NodePhase.READY);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b", "a");
        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(round.orders()).isEmpty();
        assertThat(round.change()).isEqualTo(WorldChange.SCALE_UP);
    }

    @Test
    void workersOfTwoNodesFail_chargesBothInOneRound() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.node("c").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.budgetUsed()).isEqualTo(2);
        assertThat(round.orders())
                .containsExactly(new Order("a", Order.Kind.RESTART, 0), new Order("c", Order.Kind.RESTART, 0));
    }

    @Test
    void workersOfTwoNodesFail_budgetForOne_theOtherLeaves() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 1).running("a", "b", "c");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.node("c").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(round.orders())
                .containsExactly(new Order("a", Order.Kind.RESTART, 0), new Order("c", Order.Kind.LEAVE, 0));
    }

    @Test
    void collateralFailure_restartsForFree() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("a").fails(true).phase(NodePhase.STARTING);
        run.node("b").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(round.orders()).extracting(Order::nodeId).containsExactly("a", "b");
    }

    @Test
    void workerFails_budgetUsedUpAndOthersWork_runGoesOnWithoutTheNode() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 0).running("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.orders()).containsExactly(new Order("a", Order.Kind.LEAVE, 0));
    }

    @Test
    void lastNodeFails_noBudgetFromTheStart_endsWithExit1() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 0).running("a");
        run.node("a").fails().phase(NodePhase.STARTING);

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.failures()).extracting(Failure::nodeId).containsExactly("a");
    }

    @Test
    void lastNodeFails_budgetUsedUp_endsWithExit4AndTheNewestFailureFirst() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 1).running("a");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("a").generation(1).phase(NodePhase.READY);
        run.publishOne();
        run.allWork().node("a").fails().phase(NodePhase.STARTING);

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(4);
        assertThat(verdict.failures()).extracting(Failure::attempt).containsExactly(1);
    }

    @Test
    void singleNodeFails_waitsInASuspendedRoundAndResumesOneIncident() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 3).running("a");
        long incident = run.round().incident();
        run.node("a").fails().phase(NodePhase.STARTING);

        Round suspended = run.publishOne();

        assertThat(suspended.suspended()).isTrue();
        assertThat(suspended.number()).isEqualTo(1);
        assertThat(suspended.participants()).isEmpty();
        assertThat(suspended.orders()).containsExactly(new Order("a", Order.Kind.RESTART, 0));
        assertThat(suspended.budgetUsed()).isEqualTo(1);

        run.node("a").generation(1).phase(NodePhase.READY);
        Round round = run.publishOne();

        assertThat(round.suspended()).isFalse();
        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(2);
        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(suspended.incident()).isEqualTo(incident + 1);
        assertThat(round.incident()).isEqualTo(incident + 1);
    }

    @Test
    void restartedNode_loadsLongerThanTheJoinTimeout_isWaitedFor() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 3).running("a");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("a").generation(1);
        run.pass(PlannerFixture.JOIN.multipliedBy(2));

        Plan plan = run.plan();

        assertThat(plan.decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        assertThat(plan.reason()).contains("a");
    }

    @Test
    void restartedNode_cannotStart_endsWithExit1() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 3).running("a");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("a").generation(6).fails().phase(NodePhase.BROKEN);

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.failures()).isNotEmpty();
    }

    @Test
    void orders_notObeyedYet_areRepeatedInTheNextRound() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("c").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.allWork().lose("b");

        assertThat(run.publishOne().orders()).containsExactly(new Order("c", Order.Kind.RESTART, 0));
    }

    @Test
    void orders_obeyed_areDropped() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("c").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.allWork().node("c").generation(1);
        run.lose("b");

        assertThat(run.publishOne().orders()).isEmpty();
    }

    @Test
    void groupReplacedBeforeItsFailureWasSeen_isNotTakenForTheOldOne() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("b").generation(1).phase(NodePhase.READY);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a");
        assertThat(round.budgetUsed()).isZero();
        run.allWork();
        run.publishOne();
        assertThat(run.round().participants())
                .extracting(Participant::generation)
                .containsExactly(0, 1);
    }

    @Test
    void checkpoints_newestKnown_isNeverForgotten() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").checkpoint(12);
        run.node("b").checkpoint(11);
        run.lose("b");
        assertThat(run.publishOne().checkpoint()).isEqualTo(new RunVersion(0, 12));

        run.join("b");
        run.allWork().node("a").checkpoint(0);

        assertThat(run.publishOne().checkpoint()).isEqualTo(new RunVersion(0, 12));
    }

    @Test
    void checkpoints_allLostInARound_countAnewFromIt() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").checkpoint(12);
        run.lose("b");
        run.publishOne();

        run.join("b");
        run.allWork().node("a").checkpoint(HeldVersion.lostIn(2));
        run.node("b").checkpoint(12);

        assertThat(run.publishOne().checkpoint()).isEqualTo(RunVersion.lostIn(2));
    }

    @Test
    void sources_nodeOutsideHasMoreThanAllMembers_isNamed() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a");
        run.join("b");
        run.node("b").phase(NodePhase.READY).checkpoint(3);
        run.node("a").checkpoint(12).fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.ranks().sources()).singleElement().satisfies(source -> {
            assertThat(source.nodeId()).isEqualTo("a");
            assertThat(source.held()).isEqualTo(HeldVersion.of(0, 0, 12));
        });
    }

    @Test
    void sources_nodeOutsideHasAsMuch_isNamedIfItWasAMember() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.join("c");
        run.node("c").phase(NodePhase.STARTING).checkpoint(12);
        run.node("b").checkpoint(12);
        run.node("a").checkpoint(12).fails().phase(NodePhase.STARTING);

        assertThat(run.publishOne().ranks().sources()).singleElement().satisfies(source -> {
            assertThat(source.nodeId()).isEqualTo("a");
            assertThat(source.wasMember()).isTrue();
        });
    }

    /** As after a freeze: the others went on without it, from what they had. */
    @Test
    void sources_memberHasMoreOfAWorldThatWasGivenUp_nodeOutsideWithTheLaterWorldIsNamed() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.join("c");
        run.node("a").checkpoint(HeldVersion.of(0, 5, 18)).fails().phase(NodePhase.STARTING);
        run.node("b").checkpoint(HeldVersion.of(0, 5, 18));
        run.node("c").phase(NodePhase.STARTING).checkpoint(HeldVersion.of(0, 6, 15));

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.ranks().sources()).extracting(StateSource::nodeId).containsExactly("a", "c");
        assertThat(round.checkpoint()).as("what was completed is not forgotten").isEqualTo(new RunVersion(0, 18));
    }

    @Test
    void masterEndpoint_alreadyUsed_isWaitedFor() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3);
        run.join("a");
        run.join("b");
        Round first = run.publishOne();
        run.lose("b");

        Plan plan = run.publish();

        assertThat(plan.decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        assertThat(plan.gathering().kind()).isEqualTo(Gathering.Kind.MASTER_ENDPOINT);
        run.node("a").works(first);
        assertThat(run.publishOne().master().port()).isNotEqualTo(first.master().port());
    }

    @Test
    void masterEndpoint_ofARecordOlderThanTheRound_isWaitedFor() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3);
        run.join("a");
        run.join("b");
        run.node("a").newMaster(run.publishOne());
        run.lose("b");

        assertThat(run.publish().gathering().kind()).isEqualTo(Gathering.Kind.MASTER_ENDPOINT);
    }

    @Test
    void masterEndpoint_usedSeveralRoundsAgo_isWaitedFor() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3);
        run.join("b");
        NodeFixture a = run.join("a").edition(5);
        Round first = run.publishOne();
        assertThat(run.members()).containsExactly("a", "b");
        // What a's agent does from here on does not reach the store, but its lease goes on.
        run.node("b").works(first);
        run.ask(Command.scale("r", 1, 1, false, "alice")).publishOne();
        assertThat(run.members()).containsExactly("b");
        run.allWork().lose("b").takeover();

        PlannerFixture.assertAwaitsMasterOf("a", run.publish());
        a.newMaster(first).edition(4);
        PlannerFixture.assertAwaitsMasterOf("a", run.publish());
        a.edition(6);
        assertThat(run.publishOne().usedMasters())
                .extracting(UsedMaster::port)
                .containsExactly(a.record().group().masterPort());
    }

    @Test
    void masterEndpoint_takenBackByItsNode_isWaitedFor() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").noMaster();
        run.lose("b");

        assertThat(run.publish().gathering().kind()).isEqualTo(Gathering.Kind.MASTER_ENDPOINT);
        run.node("a").reserved().phase(NodePhase.ACTIVE);
        assertThat(run.publishOne().master().port()).isPositive();
    }

    @Test
    void onlyCollateralFailures_secondRoundInARow_isChargedOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("b").fails(true).phase(NodePhase.STARTING);
        run.node("c").fails(true).phase(NodePhase.STARTING);
        assertThat(run.publishOne().budgetUsed()).isZero();
        run.allWork().node("b").restarted();
        run.node("c").restarted();
        run.publishOne();
        run.allWork();
        run.node("b").fails(true).phase(NodePhase.STARTING);
        run.node("c").fails(true).phase(NodePhase.STARTING);

        assertThat(run.publishOne().budgetUsed()).isEqualTo(1);
        assertThat(run.round().orders()).extracting(Order::kind).containsOnly(Order.Kind.RESTART);
    }

    @Test
    void orderToLeave_nodeHasALaterGeneration_staysAndTheNodeIsNotAdmitted() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 0).running("a", "b", "c");
        run.node("c").fails().phase(NodePhase.STARTING);
        assertThat(run.publishOne().orders()).containsExactly(new Order("c", Order.Kind.LEAVE, 0));
        run.allWork().node("c").restarted();

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        run.lose("b");
        assertThat(run.publishOne().orders()).containsExactly(new Order("c", Order.Kind.LEAVE, 0));
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void orderToLeave_nodeIsAwayWhenTheNextRoundIsMade_stays() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 0).running("a", "b", "c");
        run.node("c").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.allWork().lose("c").lose("b");
        assertThat(run.publishOne().orders()).containsExactly(new Order("c", Order.Kind.LEAVE, 0));
        run.allWork().join("c").generation(1);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void workerFails_spareIsThere_costsOneRoundInAll() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.node("b").fails().phase(NodePhase.STARTING);

        assertThat(run.publishOne().number()).isEqualTo(2);
        assertThat(run.members()).containsExactly("a", "c");
        run.allWork().node("b").restarted();

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void masterEndpoint_waitedForAfterTheScaleUpDelay_collectsNoSecondTime() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3);
        run.join("a");
        run.plan();
        Round first = run.pass(PlannerFixture.LAST_CALL).publishOne();
        run.join("b");
        run.plan();
        run.pass(PlannerFixture.SCALE_UP);
        PlannerFixture.assertAwaitsMasterOf("a", run.plan());
        run.pass(Duration.ofMillis(10)).node("a").works(first);

        assertThat(run.publishOne().number()).isEqualTo(2);
    }
}
