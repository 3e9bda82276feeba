/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent cases of docs/torchelastic-cases.md that count restarts: the coordinator does, for all. */
final class TorchelasticBudgetCasesTest {

    static List<String> policies() {
        return TorchelasticRendezvousCasesTest.policies();
    }

    private static PlannerFixture of(String policy, int min, int max) {
        return PlannerFixture.of(RestartPolicies.byName(policy), min, max, 3);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a1_allWorkersSucceed_runSucceedsWithoutUsingBudget(String policy) {
        PlannerFixture run = of(policy, 2, 2).running("a", "b");
        run.node("a").phase(NodePhase.DONE);
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        run.node("b").phase(NodePhase.DONE);

        assertThat(run.end().succeeded()).isTrue();
        assertThat(run.round().budgetUsed()).isZero();
        assertThat(run.round().number()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a2_workerFailsInEveryAttempt_fourthFailureEndsTheRun(String policy) {
        PlannerFixture run = of(policy, 1, 1).running("a");
        for (int restarts = 1; restarts <= 3; restarts++) {
            assertThat(run.failsAndComesBack("a").budgetUsed()).isEqualTo(restarts);
        }
        run.node("a").fails();

        Verdict verdict = run.end();

        assertThat(verdict.exitCode()).isEqualTo(4);
        assertThat(run.round().budgetUsed()).isEqualTo(3);
        assertThat(run.node("a").record().failures())
                .extracting(Failure::attempt)
                .containsExactly(0, 1, 2, 3);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a3_twoNodesJoinOneAfterTheOther_twoRoundsForFreeThenSuccess(String policy) {
        PlannerFixture run = of(policy, 1, 3).running("a");
        for (String newcomer : List.of("b", "c")) {
            run.join(newcomer);
            run.nextSealed();
            run.allWork();
        }
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        List.of("a", "b", "c").forEach(node -> run.node(node).phase(NodePhase.DONE));

        assertThat(run.end().succeeded()).isTrue();
        assertThat(run.round().number()).isEqualTo(3);
        assertThat(run.round().budgetUsed()).isZero();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a4_nodeCannotStartItsWorkers_othersAndBudgetAreUntouched(String policy) {
        PlannerFixture run = of(policy, 1, 2).running("a");
        run.join("b").fails().phase(NodePhase.BROKEN);

        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
        assertThat(run.round().budgetUsed()).isZero();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a11_secondNodeStarts_firstGoesOnInAWorldOfTwo(String policy) {
        PlannerFixture run = of(policy, 1, 2).running("a");
        run.join("b");

        Round round = run.nextSealed();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.worldSize()).isEqualTo(2);
        assertThat(round.change()).isEqualTo(WorldChange.SCALE_UP);
        assertThat(round.participants().get(0).generation()).isEqualTo(policy.equals("hard") ? 1 : 0);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a12_workerFailsOnce_runSucceedsInTheNextRound(String policy) {
        PlannerFixture run = of(policy, 2, 2).running("a", "b");
        run.failsAndComesBack("b");
        run.node("a").phase(NodePhase.DONE);
        run.node("b").phase(NodePhase.DONE);

        assertThat(run.end().succeeded()).isTrue();
        assertThat(run.round().budgetUsed()).isEqualTo(1);
        assertThat(run.round().participants()).hasSize(2);
    }
}
