/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that keep leaving rounds, and such as a worker does not want. */
final class PlannerBackOffTest {

    /** c fails in its round and is ready again at once. */
    private static void flap(PlannerFixture run) {
        run.node("c").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.allWork().node("c").restarted();
    }

    /** c is lost, and an agent on its host takes its place. */
    private static void replace(PlannerFixture run, String old, String fresh) {
        run.lose(old);
        run.publishOne();
        run.allWork().join(fresh).host("c");
    }

    private static void assertKeptOut(PlannerFixture run, String nodeId, String... facts) {
        assertThat(run.keptOut()).singleElement().satisfies(kept -> {
            assertThat(kept.nodeId()).isEqualTo(nodeId);
            assertThat(kept.why()).contains(facts);
        });
    }

    @Test
    void firstReturn_isAtOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        flap(run);

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void furtherReturns_waitTwiceAsLongEachTime() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        replace(run, "c", "c2");
        run.publishOne();
        String last = "c2";
        for (int round = 0; round < 8; round++) {
            String fresh = "c" + (round + 3);
            run.allWork();
            replace(run, last, fresh);
            String former = last;
            last = fresh;
            Plan held = run.plan();
            int strikes = round + 2;
            long seconds = Math.min(60, 1L << round);
            assertKeptOut(run, fresh, " " + former + " ", " " + strikes + " ");
            assertThat(PlannerFixture.untilDeadline(run, held)).hasSeconds(seconds);
            run.pass(Duration.ofSeconds(seconds)).publishOne();
            assertThat(run.members()).containsExactly("a", "b", fresh);
        }
    }

    @Test
    void backOff_beganBeforeATakeover_beginsAnewWithTheSameCount() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        flap(run);
        run.publishOne();
        run.allWork();
        flap(run);
        run.plan();
        run.pass(Duration.ofMillis(900)).takeover();

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).hasSeconds(1);
    }

    @Test
    void backOff_nodeStayedInRoundsForLong_isForgotten() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        flap(run);
        run.publishOne();
        run.allWork().plan();
        run.pass(AdmissionDelay.FORGET);
        flap(run);

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
        assertThat(run.round().history().troubles())
                .singleElement()
                .extracting(FailureHistory.Trouble::strikes)
                .isEqualTo(1);
    }

    @Test
    void backOff_runWouldBeBelowMinimum_isWaived() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 9).running("a", "b", "c");
        flap(run);
        run.publishOne();
        run.allWork();
        flap(run);

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void backOff_anotherNodeIsLost_joinsInItsPlaceAtOnceIfNeeded() {
        PlannerFixture run = PlannerFixture.soft(2, 3, 9).running("a", "b", "c");
        flap(run);
        run.publishOne();
        run.allWork();
        flap(run);
        run.plan();
        run.lose("b");

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "c");
    }

    @Test
    void backOff_anotherNodeOfTheHostThatWasThereBefore_isNotMeant() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 9).running("a", "b", "c");
        run.join("d").host("c").phase(NodePhase.STARTING);
        replace(run, "c", "c2");
        run.plan();
        run.pass(PlannerFixture.SCALE_UP).publishOne();
        run.allWork();
        replace(run, "c2", "c3");
        run.node("d").phase(NodePhase.READY);
        run.plan();
        run.pass(PlannerFixture.SCALE_UP).publish();

        assertThat(run.members()).containsExactly("a", "b", "d");
    }

    @Test
    void backOff_moreNodesComeToTheHostThanWent_onlyOneAnswersForTheOther() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 9).running("a", "b", "c");
        replace(run, "c", "c2");
        run.plan();
        run.pass(PlannerFixture.SCALE_UP).publishOne();
        run.allWork();
        replace(run, "c2", "c3");
        run.join("fresh").host("c");
        run.plan();
        run.pass(PlannerFixture.SCALE_UP).publish();

        assertThat(run.members()).containsExactly("a", "b", "fresh");
    }

    @Test
    void backOff_switchedOff_neverWaits() {
        PlannerFixture run =
                PlannerFixture.soft(1, 3, 99).backOff(Duration.ZERO).running("a", "b", "c");
        for (int i = 0; i < 5; i++) {
            flap(run);
            run.publishOne();
            assertThat(run.members()).containsExactly("a", "b", "c");
            run.allWork();
        }
    }

    @Test
    void threeFailuresInARow_keepTheNodeOutForACoolDown() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        flap(run);
        run.publishOne();
        run.allWork();
        flap(run);
        run.plan();
        run.pass(Duration.ofSeconds(1)).publishOne();
        run.allWork();
        flap(run);

        Plan held = run.plan();

        assertKeptOut(run, "c", " 3 ");
        assertThat(PlannerFixture.untilDeadline(run, held)).hasSeconds(2);
        run.pass(Duration.ofSeconds(2)).publishOne();
        assertThat(run.members()).containsExactly("a", "b", "c");
        assertThat(run.round().history().troubleOf("c").orElseThrow().failures())
                .isZero();
    }

    @Test
    void underHard_threeFailuresInARow_theNodeStandsByAfterwards() {
        PlannerFixture run = PlannerFixture.hard(1, 2, 9).running("a", "b");
        for (int i = 0; i < 3; i++) {
            run.node("b").fails();
            run.publishOne();
            run.node("a").stopped(run.round()).reserved();
            run.node("b").stopped(run.round()).reserved();
            run.publishOne();
            run.allWorkOf("a", "b");
        }

        assertThat(run.members()).containsExactly("a");
        assertThat(run.round().causes())
                .containsExactly(new Cause.WorkersFailed(List.of("b")), new Cause.NodesUnreliable(List.of("b")));
        assertThat(run.round().budgetUsed()).isEqualTo(3);
        run.node("b").phase(NodePhase.STANDBY);
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).hasSeconds(1);
    }

    @Test
    void allFail_asInAStorm_nobodyIsKeptOut() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 99).running("a", "b", "c");
        for (int i = 0; i < 12; i++) {
            String node = run.members().get(0);
            run.node(node).fails().phase(NodePhase.STARTING);
            run.publishOne();
            run.allWork().node(node).restarted();
            run.publishOne();
            assertThat(run.members()).as("after failure " + (i + 1)).contains(node);
            run.allWork();
        }
        assertThat(run.round().history().troubles())
                .extracting(FailureHistory.Trouble::failures)
                .containsOnly(4);
    }

    @Test
    void underHard_threeFailuresInARowAndNobodyElse_goesOnWithTheNode() {
        PlannerFixture run = PlannerFixture.hard(1, 1, 9).running("a");
        for (int i = 0; i < 4; i++) {
            run.node("a").fails();
            run.publishOne();
            run.node("a").stopped(run.round()).reserved();
            assertThat(run.publishOne().participants()).hasSize(1);
            run.allWork();
        }
    }

    @Test
    void excluded_isLeftOutForFreeAndKeptOutForTheCoolDown() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        run.node("b").excludes("disks");

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "c");
        assertThat(round.budgetUsed()).isZero();
        assertThat(round.orders()).isEmpty();
        assertThat(round.causes())
                .containsExactly(new Cause.NodesExcluded(List.of("b")), new Cause.AskedByWorker("b", "disks"));
        run.allWork().node("b").phase(NodePhase.STANDBY);
        Plan held = run.plan();
        assertKeptOut(run, "b", "disks");
        assertThat(PlannerFixture.untilDeadline(run, held)).isEqualTo(PlannerFixture.COOL_DOWN);
        run.pass(PlannerFixture.COOL_DOWN);
        assertThat(run.publishOne().participants()).hasSize(3);
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void excluded_agentStartedAgainOnItsHost_isKeptOutToo() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 9).running("a", "b", "c");
        run.node("b").excludes("bad disk");
        run.publishOne();
        run.allWork().lose("b").join("b2").host("b");

        run.plan();
        assertKeptOut(run, "b2", "bad disk");
    }

    @Test
    void excluded_runIsBelowMinimumWithoutIt_waitsForAnotherNodeOrTheCoolDown() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 9).running("a", "b");
        run.node("b").excludes("bad disk");
        run.publishOne();
        run.node("b").phase(NodePhase.STANDBY);
        run.node("a").newMaster(run.round());

        Plan plan = run.plan();

        assertThat(run.round().suspended()).isTrue();
        assertThat(plan.reason()).contains("(a)", "b (left out)");
        assertKeptOut(run, "b", "bad disk");
        run.join("c");
        assertThat(run.publishOne().suspended()).isFalse();
        assertThat(run.members()).containsExactly("a", "c");
    }

    @Test
    void excluded_itsWorkerFailsToo_usesNoRestart() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 9).running("a", "b");
        run.node("b").excludes("bad disk").fails().phase(NodePhase.STARTING);

        assertThat(run.publishOne().budgetUsed()).isZero();
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void excluded_underHard_theOthersStartAgainWithoutIt() {
        PlannerFixture run = PlannerFixture.hard(1, 2, 9).running("a", "b");
        run.node("b").excludes("bad disk");
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();

        assertThat(run.publishOne().budgetUsed()).isZero();
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void excluded_underHardWhileAllStop_isLeftOutAndComesBackWhenItIsNeeded() {
        PlannerFixture run = PlannerFixture.hard(2, 2, 9).running("a", "b");
        run.node("a").fails();
        run.publishOne();
        run.members().forEach(member -> run.node(member).stopped(run.round()).reserved());
        run.node("b").excludes("bad disk");

        Round left = run.publishOne();

        assertThat(left.suspended()).isTrue();
        assertThat(run.members()).containsExactly("a");
        run.plan();
        assertKeptOut(run, "b", "bad disk");
        run.pass(PlannerFixture.COOL_DOWN);
        assertThat(run.publishOne().suspended()).isFalse();
        assertThat(run.members()).containsExactly("a", "b");
    }

    @Test
    void excluded_againInTheRoundThatItCameBackTo_isKnownSinceThen() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 9).running("a", "b");
        run.node("b").excludes("bad disk");
        Observations first = Observations.begin(0).next(snapshot(run, run.publishOne()), 0, 1);
        run.allWork().node("b").phase(NodePhase.STANDBY);
        run.plan();
        Round back = run.pass(PlannerFixture.COOL_DOWN).publishOne();
        run.node("b").works(back).excludes("another disk");

        Observations again = first.next(snapshot(run, back), 0, 2);

        assertThat(first.excludedSince()).containsEntry("b", 1L);
        assertThat(again.excludedSince()).containsEntry("b", 2L);
    }

    private static Snapshot snapshot(PlannerFixture run, Round round) {
        return new Snapshot(
                RunSpecs.of("i", RunSpecs.terms(1, 2, "soft-no-replace", 9)),
                List.of(run.node("a").node(), run.node("b").node()),
                round,
                null,
                List.of());
    }

    @Test
    void excluded_beforeTheFirstRound_isNotCounted() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 9);
        run.join("a");
        run.join("b").excludes("bad disk");

        assertThat(run.plan().reason()).contains("(a)", "b (excluded: bad disk)");
    }
}
