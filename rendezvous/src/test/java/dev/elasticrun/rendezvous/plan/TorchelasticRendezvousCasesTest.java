/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of docs/torchelastic-cases.md that are decided by the planner. */
final class TorchelasticRendezvousCasesTest {
    private static final int BUDGET = 3;
    private static final int ROUND_BYTES = 200;
    private static final int BYTES_PER_NODE = 64;

    static List<String> policies() {
        return List.of("hard", "soft-no-replace", "soft-replace");
    }

    private static PlannerFixture of(String policy, int min, int max) {
        return PlannerFixture.of(RestartPolicies.byName(policy), min, max, BUDGET);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r9_allMembersLost_nextRoundHasOnlyTheNewcomer(String policy) {
        PlannerFixture run = of(policy, 1, 2).running("a", "b");
        run.lose("a").lose("b").join("c");

        Round round = run.nextSealed();

        assertThat(run.members()).containsExactly("c");
        assertThat(round.number()).isEqualTo(2);
        assertThat(round.ranks().standbys()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r10_minimumIsReached_lastCallBeginsThen(String policy) {
        PlannerFixture run = of(policy, 2, 4);
        run.join("a");
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.JOIN);
        run.pass(Duration.ofSeconds(100)).join("b");

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.LAST_CALL);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r11_maxMinusOneMembersOneJoins_sealedAtOnceWithRanksInOrder(String policy) {
        for (List<String> arrivals : List.of(List.of("h10", "h9", "h1"), List.of("h1", "h10", "h9"))) {
            PlannerFixture run = of(policy, 1, 3);
            run.join(arrivals.get(0));
            run.join(arrivals.get(1));
            assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
            run.join(arrivals.get(2));

            Round round = run.publishOne();

            assertThat(run.members()).as("joined as %s", arrivals).containsExactly("h1", "h9", "h10");
            assertThat(round.participants()).extracting(Participant::firstRank).containsExactly(0, 1, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r12_memberLeaves_othersCloseTheHoleInTheirOrder(String policy) {
        PlannerFixture run = of(policy, 1, 3).running("a", "b", "c");
        run.node("a").phase(NodePhase.DRAINING);

        Round round = run.nextSealed();

        assertThat(round.number()).isEqualTo(2);
        assertThat(run.members()).containsExactly("b", "c");
        assertThat(round.participants()).extracting(Participant::firstRank).containsExactly(0, 1);
        assertThat(round.budgetUsed()).isZero();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r13_lastMemberLeaves_nextNodeOpensTheNextRound(String policy) {
        PlannerFixture run = of(policy, 1, 1).running("a");
        run.node("a").phase(NodePhase.DRAINING);
        assertThat(run.publishOne().suspended()).isTrue();
        run.lose("a").join("b");

        Round round = run.nextSealed();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.number()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r14_belowMinimumDuringLastCall_lastCallStartsAnewWithTheNext(String policy) {
        PlannerFixture run = of(policy, 2, 3);
        run.join("a");
        run.join("b");
        run.plan();
        run.pass(Duration.ofSeconds(4)).lose("b");

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.JOIN);
        run.pass(Duration.ofSeconds(4)).join("c");
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.LAST_CALL);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r16_sealedRound_memberStaysAndRoomIsFilledAndTheSurplusStandsBy(String policy) {
        PlannerFixture run = of(policy, 1, 2).running("a");
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        run.join("b");
        run.nextSealed();
        run.allWork().join("c");

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.round().number()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r17_standby_waitsForeverAndReplacesTheFirstMemberThatIsLost(String policy) {
        PlannerFixture run = of(policy, 2, 2).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.pass(PlannerFixture.JOIN.multipliedBy(10));
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        run.lose("a");

        Round round = run.nextSealed();

        assertThat(run.members()).containsExactly("b", "c");
        assertThat(round.causes()).contains(new Cause.NodesLost(List.of("a")));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r18_memberLostWithAStandbyThere_costsOneRoundAndThenAllIsCalm(String policy) {
        PlannerFixture run = of(policy, 2, 2).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.lose("b");

        Round round = run.nextSealed();

        assertThat(run.members()).containsExactly("a", "c");
        assertThat(round.number()).isEqualTo(2);
        assertThat(round.budgetUsed()).isZero();
        assertThat(run.allWork().plan().decision()).isEqualTo(new Decision.Idle());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r18_workerFailsWithAStandbyThere_nobodyContendsForThePlace(String policy) {
        PlannerFixture run = of(policy, 2, 2).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);

        Round round = run.failsAndComesBack("b");

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.participants()).hasSize(2);
        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r19_lastCallPasses_coordinatorSealsWithoutAnyNews(String policy) {
        PlannerFixture run = of(policy, 1, 3);
        run.join("a");
        Duration left = PlannerFixture.untilDeadline(run, run.plan());

        run.pass(left.minusNanos(1));
        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.pass(Duration.ofNanos(1));

        assertThat(run.publishOne().participants()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r20_joinTimeoutPasses_runEndsForAllAndNamesWhoIsThere(String policy) {
        PlannerFixture run = of(policy, 2, 2);
        run.join("a");
        run.plan();
        run.pass(PlannerFixture.JOIN.minusNanos(1));
        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.pass(Duration.ofNanos(1));

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.reason()).contains("(a)").contains("600 s");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r21_nodeOutsideTheRoundLeaves_nothingHappens(String policy) {
        PlannerFixture run = of(policy, 1, 2).running("a", "b");
        NodeFixture standby = run.join("c").phase(NodePhase.STANDBY);

        standby.phase(NodePhase.DRAINING);
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        run.lose("c");
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r26_loneNodeComesBackAgainAndAgain_roundNumberGrowsByOneEachTime(String policy) {
        PlannerFixture run = of(policy, 1, 1).running("a");

        for (long number = 2; number <= 4; number++) {
            run.lose("a").join("a");
            assertThat(run.nextSealed().number()).isEqualTo(number);
            run.allWork();
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r28_secondNodeBecomesFirst_masterEndpointIsItsOwn(String policy) {
        PlannerFixture run = of(policy, 1, 2).running("a", "b");
        int before = run.round().master().port();
        run.lose("a");

        Round round = run.nextSealed();

        assertThat(run.members()).containsExactly("b");
        assertThat(round.master().port())
                .isNotEqualTo(before)
                .isEqualTo(run.node("b").record().group().masterPort());
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1000})
    void r31_manyNodes_roundHasFewBytesForEach(int nodes) {
        PlannerFixture run = of("soft-no-replace", nodes, nodes);
        for (int i = 0; i < nodes; i++) {
            run.join(String.format("host-%04d-7f3a", i));
        }

        byte[] stored = RecordCodec.encode(run.publishOne(), "0123456789abcdef");

        assertThat(stored.length).isLessThan(ROUND_BYTES + nodes * BYTES_PER_NODE);
    }

    @Test
    void r15_runHasEnded_lateNodesAndStandbysChangeNothing() {
        PlannerFixture run = of("hard", 1, 1).running("a").ended(Verdict.success("done"));
        run.join("b");
        run.lose("a");

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }
}
