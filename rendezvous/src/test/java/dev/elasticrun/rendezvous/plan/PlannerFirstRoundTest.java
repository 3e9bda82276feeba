/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PlannerFirstRoundTest {

    @Test
    void first_nobodyThere_waitsForTheJoinTimeout() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 3);

        Plan plan = run.plan();

        assertThat(PlannerFixture.untilDeadline(run, plan)).isEqualTo(PlannerFixture.JOIN);
        assertThat(plan.gathering().kind()).isEqualTo(Gathering.Kind.MINIMUM);
    }

    @Test
    void first_maximumReady_isSealedAtOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3);
        run.join("a");
        run.join("b");

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(1);
        assertThat(round.world()).isEqualTo(1);
        assertThat(round.suspended()).isFalse();
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.causes()).containsExactly(new Cause.Started(2));
        assertThat(round.budgetUsed()).isZero();
        assertThat(round.change()).isEqualTo(WorldChange.NONE);
    }

    @Test
    void first_minimumReady_waitsForTheLastCallFromThenOn() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3);
        run.plan();
        run.pass(Duration.ofSeconds(100));
        run.join("a");

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.LAST_CALL);
        run.pass(PlannerFixture.LAST_CALL.minusMillis(1)).join("b");
        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.pass(Duration.ofMillis(1));
        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
    }

    @Test
    void first_lastCallOverAndANodeNotReady_waitsForItWithoutDeadlineAndNamesIt() {
        PlannerFixture run = PlannerFixture.soft(2, 3, 3);
        run.join("a");
        run.join("b").phase(NodePhase.STARTING);
        run.plan();
        run.pass(PlannerFixture.LAST_CALL);

        Plan plan = run.plan();
        run.pass(PlannerFixture.JOIN.multipliedBy(2));

        assertThat(plan.decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        assertThat(plan.gathering().kind()).isEqualTo(Gathering.Kind.READINESS);
        assertThat(plan.text()).as("in a healthy start").contains(" b ").doesNotContain("hard");
        assertThat(run.plan().decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        assertThat(run.plan().text()).contains("--restart-policy hard");
        run.node("b").phase(NodePhase.READY);
        assertThat(run.publishOne().participants()).hasSize(2);
    }

    @Test
    void first_moreThanTheMaximum_takesTheFirstToJoinAndNamesTheOthersStandby() {
        PlannerFixture run = PlannerFixture.hard(1, 2, 3);
        run.join("c");
        run.join("b");
        run.join("a");

        run.publishOne();

        assertThat(run.members()).containsExactly("b", "c");
        assertThat(run.round().ranks().standbys()).containsExactly("a");
    }

    @Test
    void first_minimumNotReachedInTime_endsWithExit3AndReportsWhoIsThere() {
        PlannerFixture run = PlannerFixture.soft(3, 4, 3);
        run.join("a");
        run.join("b");
        run.plan();
        run.pass(PlannerFixture.JOIN);

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.reason()).contains("(a, b)", "600 s");
    }

    @Test
    void first_nodeLeavesDuringTheLastCall_startsTheJoinTimeoutAnew() {
        PlannerFixture run = PlannerFixture.soft(2, 3, 3);
        run.join("a");
        run.join("b");
        run.plan();
        run.lose("b").pass(Duration.ofSeconds(2));

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.JOIN);
    }

    @Test
    void first_drainingAndBrokenNodes_doNotCount() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3);
        run.join("a");
        run.join("b").phase(NodePhase.DRAINING);
        run.join("c").phase(NodePhase.BROKEN);

        assertThat(run.plan().gathering().kind()).isEqualTo(Gathering.Kind.MINIMUM);
        assertThat(run.plan().reason()).contains("(a)");
    }

    @Test
    void first_onlyBrokenNodes_endsWithExit1() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 3);
        run.join("a").phase(NodePhase.BROKEN).fails();

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.failures()).hasSize(1);
    }

    @Test
    void first_allWorkersEndedWellBeforeAnyRound_succeeds() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3);
        run.join("a").phase(NodePhase.DONE);

        assertThat(run.end().succeeded()).isTrue();
    }

    @Test
    void first_oneNodeDoneBeforeAnyRound_countsTowardsTheMinimumWithoutRanks() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3);
        run.join("a").phase(NodePhase.DONE);
        run.join("b");

        run.publishOne();

        assertThat(run.members()).containsExactly("b");
    }

    @Test
    void first_stopRun_endsWithExit1AtOnce() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 3);
        run.join("a").phase(NodePhase.STARTING).stopsRun("data.csv:7");

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.reason()).endsWith(" a: data.csv:7");
        assertThat(verdict.failures())
                .singleElement()
                .extracting(Failure::message)
                .isEqualTo("data.csv:7");
    }

    @Test
    void ended_anything_staysIdle() {
        PlannerFixture run = PlannerFixture.soft(1, 1, 3).running("a").ended(Verdict.success("done"));
        run.node("a").fails();

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void masterEndpoint_takenBackByTheFirstNode_isWaitedForWithoutAnotherLastCall() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3);
        run.join("a").noMaster();
        run.join("b");
        run.plan();
        run.pass(PlannerFixture.LAST_CALL);

        PlannerFixture.assertAwaitsMasterOf("a", run.publish());
        run.node("a").reserved();
        assertThat(run.publishOne().participants()).hasSize(2);
    }
}
