/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What becomes of a run whose policy is a user's own. */
final class PolicyAdviceTest {

    private static PlannerFixture failing(Function<GroupView, RestartDecision> answer) {
        PlannerFixture run =
                PlannerFixture.of(new PlanTextTest.OnFailure(answer), 1, 2, 3).running("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        return run;
    }

    private static String verdictOf(Function<GroupView, RestartDecision> answer) {
        Verdict verdict = failing(answer).end();
        assertThat(verdict.succeeded()).isFalse();
        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.failures()).hasSize(1);
        return verdict.reason();
    }

    @Test
    void policy_throws_endsTheRunWithItsText() {
        assertThat(verdictOf(view -> {
                    throw new IllegalStateException("no idea");
                }))
                .contains(" own ", "java.lang.IllegalStateException: no idea");
    }

    @Test
    void policy_classMissing_endsTheRun() {
        assertThat(verdictOf(view -> {
                    throw new NoClassDefFoundError("com/example/Rules");
                }))
                .contains("NoClassDefFoundError: com/example/Rules");
    }

    @Test
    void policy_keepsARoundThatCannotStand_endsTheRun() {
        assertThat(verdictOf(view -> new RestartDecision.Keep("fine"))).endsWith(" without a");
    }

    @Test
    void policy_namesAStranger_endsTheRun() {
        assertThat(verdictOf(view -> new RestartDecision.Reform(Set.of("z"), Set.of(), 1, "r")))
                .contains("z is no ");
    }

    @Test
    void policy_chargesMoreThanIsLeft_endsTheRun() {
        assertThat(verdictOf(view -> new RestartDecision.Reform(Set.of("a"), Set.of(), 4, "r")))
                .contains("charge: 4 (expected: 0 to 3)");
    }

    @Test
    void policy_replacesWithoutSayingSoBefore_endsTheRun() {
        assertThat(verdictOf(view -> new RestartDecision.Reform(Set.of(), Set.of("a"), Set.of(), 1, "r")))
                .contains("it replaces no workers");
    }

    @Test
    void policy_ofSoftWorkers_restartsAll_everyNodeByOrder() {
        PlannerFixture run = failing(view -> new RestartDecision.RestartAll(1, "too much"));

        Round suspended = run.publishOne();

        assertThat(suspended.suspended()).isTrue();
        assertThat(suspended.participants()).isEmpty();
        assertThat(suspended.budgetUsed()).isEqualTo(1);
        assertThat(suspended.orders())
                .containsExactly(new Order("a", Order.Kind.RESTART, 0), new Order("b", Order.Kind.RESTART, 0));
        run.node("a").generation(1).phase(NodePhase.READY).newMaster(suspended);
        assertThat(run.plan().gathering().kind()).isEqualTo(Gathering.Kind.READINESS);
        assertThat(run.plan().reason()).contains(" b ");
        run.node("b").generation(1).phase(NodePhase.READY).newMaster(suspended);
        Round sealed = run.publishOne();
        assertThat(sealed.number()).isEqualTo(2);
        assertThat(sealed.world()).isEqualTo(2);
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.allWork().plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void policy_restartsAHealthyNode_theOthersGoOn() {
        PlannerFixture run = failing(view -> new RestartDecision.Reform(Set.of("b"), Set.of("a"), 1, "r"));
        run.join("c");

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("c");
        assertThat(round.orders())
                .containsExactly(new Order("a", Order.Kind.LEAVE, 0), new Order("b", Order.Kind.RESTART, 0));
    }
}
