/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import org.junit.jupiter.api.Test;

/** Nodes whose workers ended with exit code 0. */
final class PlannerDoneTest {

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
