/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.SoftElastic;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes whose workers ended with exit code 0. */
final class PlannerDoneTest {
    private static final Duration ENDS = Duration.ofMillis(250);

    @Test
    void allDone_succeeds() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        run.node("b").phase(NodePhase.DONE);

        Verdict verdict = run.end();

        assertThat(verdict.succeeded()).isTrue();
        assertThat(verdict.exitCode()).isZero();
    }

    @Test
    void allDone_standbysDoNotMatter() {
        PlannerFixture run = PlannerFixture.hard(1, 1, 3).running("a");
        run.join("b").phase(NodePhase.STANDBY);
        run.node("a").phase(NodePhase.DONE);

        assertThat(run.end().succeeded()).isTrue();
    }

    @Test
    void oneDone_startsNoRound() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DONE);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void oneDone_newcomerIsReady_isNotAdmitted() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b");
        run.node("a").done(1);
        run.join("c");

        Plan plan = run.plan();

        assertThat(plan.decision()).isEqualTo(new Decision.Idle());
        assertThat(plan.reason()).isEqualTo("1 newcomers ready, too late: done a");
        run.node("b").done(1);
        assertThat(run.end().succeeded()).isTrue();
    }

    @Test
    void oneDone_otherFailsAndNewcomerIsReady_newcomerContinues() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b");
        run.node("a").done(1);
        run.node("b").fails().phase(NodePhase.STARTING);
        run.join("c");

        run.publishOne();

        assertThat(run.members()).containsExactly("c");
    }

    @Test
    void oneDoneBeforeItWorkedInTheRound_nextRoundIsWithoutIt() {
        PlannerFixture run = PlannerFixture.soft(2, 4, 3).running("a", "b");
        admit(run, "c");
        run.node("a").done(1);

        Round round = publishAfterEnds(run);

        assertThat(run.members()).containsExactly("b", "c");
        assertThat(round.causes()).containsExactly(new Cause.WorkersDone(List.of("a")));
        assertThat(round.budgetUsed()).isZero();
        run.allWork().node("b").done(1);
        publishAfterEnds(run);
        assertThat(run.members()).containsExactly("c");
        run.allWork().node("c").done(run.round().number());
        assertThat(run.end().succeeded()).isTrue();
    }

    @Test
    void oneDoneBeforeItWorkedInTheRound_othersMissItToo_noLeaseIsAwaited() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b");
        admit(run, "c");
        run.node("a").done(1);
        run.node("c").loses(2, 0);

        publishAfterEnds(run);

        assertThat(run.members()).containsExactly("b", "c");
    }

    @Test
    void oneDoneThatNeverWorkedWithOthers_startsNoRound() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b");
        admit(run, "c");
        run.node("a").done(0);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void oneDoneBeforeItWorkedInTheRound_underHard_startsNoRound() {
        PlannerFixture run = PlannerFixture.hard(1, 2, 3).running("a", "b");
        run.node("b").fails();
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();
        run.node("b").stopped(run.round()).reserved();
        run.publishOne();
        run.allWork().node("a").done(1);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void twoDoneBeforeTheyWorkedInTheRound_oneRoundIsWithoutBoth() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b");
        admit(run, "c");
        run.node("a").done(1);
        run.plan();
        run.pass(ENDS.minusMillis(1));
        run.node("b").done(1);
        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);

        run.pass(Duration.ofMillis(1)).publishOne();

        assertThat(run.members()).containsExactly("c");
    }

    @Test
    void oneElasticWorkerDoneBeforeItWorkedInTheRound_nextRoundIsWithoutIt() {
        PlannerFixture run = PlannerFixture.of(new SoftElastic(), 1, 4, 3);
        run.join("a").slots(2);
        run.join("b").slots(2);
        run.publish();
        run.pass(PlannerFixture.LAST_CALL).publish();
        run.allWork();
        admit(run, "c");
        run.node("a").slotEnds(1, 1);

        Round round = publishAfterEnds(run);

        assertThat(round.participants().get(0).seats())
                .extracting(Participant.Seat::slot)
                .containsExactly(0);
        assertThat(round.worldSize()).isEqualTo(4);
        assertThat(round.causes()).containsExactly(new Cause.WorkersDone(List.of("a")));
    }

    @Test
    void oneElasticWorkerDone_itsRecordIsOlderThanTheRound_isAwaited() {
        PlannerFixture run = PlannerFixture.of(new SoftElastic(), 1, 4, 3);
        run.join("a").slots(2);
        run.publish();
        run.pass(PlannerFixture.LAST_CALL).publish();
        run.allWork();
        admit(run, "c");
        run.node("a").acknowledged(1).slotEnds(1, 1);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    private static Round publishAfterEnds(PlannerFixture run) {
        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        return run.pass(ENDS).publishOne();
    }

    private static void admit(PlannerFixture run, String nodeId) {
        run.join(nodeId);
        run.plan();
        run.pass(PlannerFixture.SCALE_UP).publishOne();
        run.allWork();
        assertThat(run.members()).contains(nodeId);
    }

    @Test
    void oneDone_peerMissesIt_nextRoundIsWithoutIt() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        run.node("b").loses(1, 0);
        run.linkStaysBroken();

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.suspended()).isFalse();
        run.allWork().node("b").phase(NodePhase.DONE);
        assertThat(run.end().succeeded()).isTrue();
    }

    @Test
    void oneDone_otherFailsUnderSoft_isRestartedAndFinishesAlone() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        run.node("b").fails().phase(NodePhase.STARTING);

        assertThat(run.publishOne().suspended()).isTrue();
        run.node("b").generation(1).phase(NodePhase.READY);
        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.budgetUsed()).isEqualTo(1);
        run.allWork().node("b").phase(NodePhase.DONE);
        assertThat(run.end().succeeded()).isTrue();
    }

    @Test
    void oneDone_otherFailsWithoutBudget_endsFailed() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 0).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        run.node("b").fails().phase(NodePhase.STARTING);

        assertThat(run.end().exitCode()).isEqualTo(1);
    }

    @Test
    void oneDone_otherFailsUnderHard_onlyTheOtherIsRestarted() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        run.node("b").fails();
        run.publishOne();
        run.node("b").stopped(run.round()).reserved();

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.suspended()).isFalse();
    }

    @Test
    void oneDone_otherLost_succeedsWhenTheDoneAreEnough() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        run.lose("b");

        assertThat(run.end().succeeded()).isTrue();
    }

    @Test
    void oneDone_otherLost_waitsWhenTheDoneAreTooFew() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        run.lose("b");

        assertThat(run.publishOne().suspended()).isTrue();
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.JOIN);
    }

    @Test
    void oneDone_twoOthersFailAndComeBack_nobodyWaitsForTheDone() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 9).running("a", "b", "c");
        run.node("a").phase(NodePhase.DONE);
        run.node("b").fails().phase(NodePhase.STARTING);
        run.node("c").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("b").restarted();
        run.node("c").restarted();

        assertThat(run.publishOne().suspended()).isFalse();
        assertThat(run.members()).containsExactly("b", "c");
    }

    @Test
    void allDone_spareIsThere_succeedsAndTheSpareEndsWithIt() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.node("a").phase(NodePhase.DONE);
        run.node("b").phase(NodePhase.DONE);

        assertThat(run.end().exitCode()).isZero();
    }
}
