/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links that break between nodes that are alive. */
final class PlannerLinksTest {

    /** b and c cannot reach each other; a, who reaches both, blames who broke off first. */
    private static void reportCut(PlannerFixture run, int blamed) {
        Round round = run.round();
        int b = round.participant("b").orElseThrow().firstRank();
        int c = round.participant("c").orElseThrow().firstRank();
        run.node("b").loses(round.number(), c);
        run.node("c").loses(round.number(), b);
        run.node("a").loses(round.number(), blamed == 1 ? b : c);
    }

    /** The first time, c is blamed. */
    private static Round reformOnce(PlannerFixture run) {
        reportCut(run, 2);
        return run.linkStaysBroken().publishOne();
    }

    private static PlannerFixture twice(PlannerFixture run, int blamed) {
        assertThat(reformOnce(run).world()).isEqualTo(1);
        run.allWork();
        reportCut(run, blamed);
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.LINK_WAIT);
        return run.pass(PlannerFixture.LINK_WAIT);
    }

    @Test
    void report_ofANodeWhoseLeaseWasInDoubt_isAnsweredAtOnceAndIsNoBrokenLink() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("b").doubts(1, 1);
        run.node("a").loses(1, 1);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
        assertThat(round.world()).isEqualTo(1);
        assertThat(round.budgetUsed()).isZero();
        assertThat(round.history().brokenLinks()).isEmpty();
    }

    @Test
    void report_ofAnotherNodeThanTheOneWhoseLeaseWasInDoubt_isABrokenLink() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("b").doubts(1, 1);
        run.node("a").loses(1, 2);

        assertThat(run.plan().gathering().kind()).isEqualTo(Gathering.Kind.BROKEN_LINK);
    }

    @Test
    void doubt_nobodyMissesTheNode_theRoundGoesOn() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("a").doubts(1, 0);
        run.node("b").doubts(1, 1);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void secondReport_leavesOutTheEndThatMoreNodesName() {
        PlannerFixture run = twice(PlannerFixture.soft(1, 3, 3).running("a", "b", "c"), 1);

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "c");
        assertThat(round.suspended()).isFalse();
        assertThat(round.budgetUsed()).isZero();
        assertThat(round.orders()).isEmpty();
        assertThat(round.causes())
                .containsExactly(
                        new Cause.NodesExcluded(List.of("b")), new Cause.LinksBroken(), new Cause.LinkOf("b", "c"));
    }

    @Test
    void secondReport_tie_leavesOutTheYoungerEnd() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 3).running("b", "c");
        run.join("a").phase(NodePhase.STARTING);
        reportCut(run, 1);
        run.linkStaysBroken();
        run.publishOne();
        run.allWork();
        run.node("b").loses(2, 1);
        run.node("c").loses(2, 0);
        run.linkStaysBroken();

        run.publishOne();

        assertThat(run.members()).containsExactly("b");
    }

    @Test
    void secondReport_afterATakeover_isKnownToBeTheSecond() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        reformOnce(run);
        run.allWork().takeover();
        reportCut(run, 2);
        run.linkStaysBroken();

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
    }

    @Test
    void secondReport_ofAnotherLink_reformsTheSameMembers() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("a").loses(1, 1);
        run.linkStaysBroken();
        run.publishOne();
        run.allWork().node("b").loses(2, 2);
        run.linkStaysBroken();

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void secondReport_longAfterTheFirst_isAFirstOne() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        reformOnce(run);
        run.allWork().plan();
        run.pass(AdmissionDelay.FORGET);
        reportCut(run, 2);
        run.linkStaysBroken();

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void secondReport_longAfterTheFirstAndOtherRoundsBetween_isAFirstOne() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b", "c");
        reformOnce(run);
        for (String other : List.of("d", "e", "f")) {
            run.allWork().join(other);
            run.nextSealed();
            run.allWork().plan();
            run.pass(AdmissionDelay.FORGET.dividedBy(3)).lose(other).publishOne();
        }
        run.allWork();
        assertThat(run.round().history().brokenLinks()).isEmpty();
        reportCut(run, 2);
        run.linkStaysBroken();

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void leftOut_cutLasts_isTriedAgainAfterLongerAndLongerWaits() {
        PlannerFixture run = twice(PlannerFixture.soft(1, 3, 3).running("a", "b", "c"), 2);
        Duration waited = Duration.ZERO;
        for (int expectedSeconds : new int[] {1, 4, 16, 64}) {
            run.publishOne();
            assertThat(run.members()).containsExactly("a", "b");
            run.allWork().node("c").phase(NodePhase.STANDBY);
            Plan held = run.plan();
            assertThat(run.keptOut()).extracting(KeptOut::nodeId).containsExactly("c");
            assertThat(held.times()).isEqualTo("; c for " + expectedSeconds + " s more");
            waited = PlannerFixture.untilDeadline(run, held);
            assertThat(waited).hasSeconds(expectedSeconds);
            run.pass(waited).publishOne();
            assertThat(run.members()).containsExactly("a", "b", "c");
            run.allWork();
            reportCut(run, 2);
            run.linkStaysBroken();
        }
    }

    @Test
    void leftOut_cutLasts_waitsLongerAlsoWhenItIsTheOtherEnd() {
        PlannerFixture run = twice(PlannerFixture.soft(1, 3, 3).running("a", "b", "c"), 2);
        String[] ends = {"c", "b"};
        int turn = 0;
        for (int expectedSeconds : new int[] {1, 4, 16, 64}) {
            String out = ends[turn % 2];
            String other = ends[++turn % 2];
            run.publishOne();
            assertThat(run.members()).containsExactlyInAnyOrder("a", other);
            run.allWork().node(out).phase(NodePhase.STANDBY);
            Plan held = run.plan();
            assertThat(held.times()).isEqualTo("; " + out + " for " + expectedSeconds + " s more");
            run.pass(PlannerFixture.untilDeadline(run, held)).publishOne();
            run.allWork();
            reportCut(run, other.equals("b") ? 1 : 2);
            run.linkStaysBroken();
        }
    }

    @Test
    void leftOut_otherEndIsLost_joinsAtOnce() {
        PlannerFixture run = twice(PlannerFixture.soft(1, 3, 3).running("a", "b", "c"), 2);
        run.publishOne();
        run.allWork().node("c").phase(NodePhase.STANDBY);
        run.plan();
        run.lose("b");

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "c");
    }

    @Test
    void leftOut_belowMinimum_pausesUntilItsWaitIsOver() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 3).running("a", "b", "c");
        twice(run, 2);

        Round suspended = run.publishOne();
        run.node("c").phase(NodePhase.STANDBY);
        run.node("a").newMaster(run.round());
        Plan plan = run.plan();

        assertThat(suspended.suspended()).isTrue();
        assertThat(plan.reason()).contains("(a, b)", "c (left out)");
        assertThat(run.keptOut()).extracting(KeptOut::nodeId).containsExactly("c");
        run.pass(Duration.ofSeconds(1)).publishOne();
        assertThat(run.members()).hasSize(3);
    }

    @Test
    void leftOut_isBackAndRegistersAgainBelowMinimum_waitsAsLongAsBefore() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 3).running("a", "b", "c");
        twice(run, 2).publishOne();
        run.node("c").phase(NodePhase.STANDBY);
        run.node("a").newMaster(run.round());
        run.plan();
        run.pass(Duration.ofSeconds(1)).publishOne();
        run.allWork().lose("a").publishOne();
        assertThat(run.members()).containsExactlyInAnyOrder("b", "c");

        run.lose("c").join("c");
        run.join("d");
        run.node("b").newMaster(run.round());
        run.plan();

        assertThat(run.keptOut()).extracting(KeptOut::nodeId).containsExactly("c");
        run.pass(Duration.ofSeconds(1)).publishOne();
        assertThat(run.members()).containsExactlyInAnyOrder("b", "c", "d");
    }

    @Test
    void underHard_secondReport_stopsAllAndGoesOnWithoutTheEnd() {
        PlannerFixture run = PlannerFixture.hard(1, 3, 3).running("a", "b", "c");
        stopAndStart(run, reformOnce(run));
        run.allWork();
        reportCut(run, 2);
        run.linkStaysBroken();

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.round().budgetUsed()).isZero();
    }

    @Test
    void underHard_reportLongAfterAnotherAndAgain_leavesOutTheEnd() {
        PlannerFixture run = PlannerFixture.hard(1, 3, 3).running("a", "b", "c");
        stopAndStart(run, reformOnce(run));
        run.allWork().plan();
        run.pass(AdmissionDelay.FORGET);
        stopAndStart(run, reformOnce(run));
        assertThat(run.members()).containsExactly("a", "b", "c");
        run.allWork();
        reportCut(run, 2);

        run.linkStaysBroken().publishOne();

        assertThat(run.members()).containsExactly("a", "b");
    }

    private static void stopAndStart(PlannerFixture run, Round suspended) {
        for (String node : run.members()) {
            run.node(node).stopped(suspended).reserved();
        }
        run.publishOne();
    }

    @Test
    void link_roundWaitsForLongForANodeThatIsLost_isForgotten() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 3).running("a", "b", "c");
        reformOnce(run);
        run.allWork().lose("a");
        Round suspended = run.publishOne();
        assertThat(suspended.suspended()).isTrue();
        assertThat(suspended.history().brokenLinks()).isNotEmpty();
        run.plan();
        run.pass(AdmissionDelay.FORGET).plan();

        run.join("d");
        Round sealed = run.nextSealed();

        assertThat(sealed.participants()).hasSize(3);
        assertThat(sealed.history().brokenLinks()).isEmpty();
    }

    @Test
    void secondReport_nobodyNamesWhoNamesIt_partsTheEndsOfTheNewestLink() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.node("a").loses(1, 2);
        run.node("c").loses(1, 0);
        run.linkStaysBroken().publishOne();
        run.allWork().pass(Duration.ofSeconds(10));
        run.node("a").loses(2, 1);
        run.node("b").loses(2, 0);
        run.linkStaysBroken().publishOne();
        assertThat(run.members()).containsExactly("a", "b", "c");
        run.allWork();
        run.node("b").loses(3, 0);
        run.node("c").loses(3, 1);
        run.node("a").loses(3, 2);

        Round round = run.linkStaysBroken().publishOne();

        assertThat(round.causes()).endsWith(new Cause.LinkOf("b", "a"));
        assertThat(run.members()).containsExactly("a", "c");
    }

    @Test
    void report_newcomerIsThere_joinsInTheSameRound() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b", "c");
        reportCut(run, 2);
        run.join("d");
        run.linkStaysBroken();

        run.publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void reportedAgain_onlyOneEndStillNamesTheOther_partsThoseThatWerePartedBefore() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b", "c", "d");
        // What a and d report only follows from what b and c closed.
        run.node("b").loses(1, 2);
        run.node("c").loses(1, 1);
        run.node("a").loses(1, 1);
        run.node("d").loses(1, 0);
        run.linkStaysBroken().publishOne();
        run.allWork();
        run.node("b").loses(2, 2);
        run.node("c").loses(2, 1);
        run.linkStaysBroken().publishOne();
        assertThat(run.members()).containsExactly("a", "b", "d");
        run.allWork().node("c").phase(NodePhase.STANDBY);
        run.pass(PlannerFixture.untilDeadline(run, run.plan())).publishOne();
        assertThat(run.members()).containsExactly("a", "b", "d", "c");
        run.allWork();

        run.node("c").loses(4, 1);
        run.node("a").loses(4, 3);
        run.node("b").loses(4, 0);
        run.node("d").loses(4, 0);
        Round round = run.linkStaysBroken().publishOne();

        assertThat(round.causes()).endsWith(new Cause.LinkOf("c", "b"));
        assertThat(run.members()).containsExactly("a", "b", "d");
    }

    @Test
    void secondReport_laterReportsAccuseEachOtherToo_partsThoseWhoDidFirst() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 3).running("a", "b", "c", "d");
        reportWithWhatFollows(run);
        run.linkStaysBroken().publishOne();
        run.allWork();
        reportWithWhatFollows(run);

        Round round = run.linkStaysBroken().publishOne();

        assertThat(round.causes()).endsWith(new Cause.LinkOf("b", "c"));
        assertThat(run.members()).containsExactly("a", "c", "d");
    }

    /** b and c cannot reach each other; all else only follows, and makes most nodes name a. */
    private static void reportWithWhatFollows(PlannerFixture run) {
        long round = run.round().number();
        run.node("b").loses(round, 2).loses(round, 0);
        run.node("c").loses(round, 1).loses(round, 0);
        run.node("a").loses(round, 1).loses(round, 3);
        run.node("d").loses(round, 0);
    }
}
