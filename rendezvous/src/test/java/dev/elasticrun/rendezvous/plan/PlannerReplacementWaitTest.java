/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;
import dev.elasticrun.rendezvous.restart.SoftReplace;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PlannerReplacementWaitTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    static Stream<RestartPolicyStrategy> policies() {
        return Stream.of(new SoftNoReplace(), new SoftReplace());
    }

    private static PlannerFixture run(RestartPolicyStrategy policy, int max, String... nodeIds) {
        return PlannerFixture.patient(policy, 1, max, WAIT).running(nodeIds);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void nodeLost_survivorsPauseAndWait(RestartPolicyStrategy policy) {
        PlannerFixture run = run(policy, 3, "a", "b", "c");

        Round round = run.lose("b").publishOne();

        assertThat(round.number()).isEqualTo(1);
        assertThat(round.suspended()).isTrue();
        assertThat(round.replaces()).isFalse();
        assertThat(round.awaited()).isEqualTo(1);
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(WAIT);
        assertThat(run.plan().gathering().kind()).isEqualTo(Gathering.Kind.REPLACEMENT);
        assertThat(run.plan().reason()).contains(" 1 node ");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void nodeReturns_oneNewRoundInAll(RestartPolicyStrategy policy) {
        PlannerFixture run = run(policy, 3, "a", "b", "c");
        run.lose("b").publishOne();
        run.pass(Duration.ofSeconds(5)).join("b");

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(2);
        assertThat(run.members()).containsExactly("a", "c", "b");
        assertThat(round.awaited()).isZero();
        assertThat(run.allWork().plan().decision()).isEqualTo(new Decision.Idle());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void nobodyReturns_survivorsGoOnAfterTheWait(RestartPolicyStrategy policy) {
        PlannerFixture run = run(policy, 3, "a", "b", "c");
        run.lose("b").publishOne();

        run.pass(WAIT).publishOne();

        assertThat(run.round().number()).isEqualTo(2);
        assertThat(run.round().world()).isEqualTo(2);
        assertThat(run.members()).containsExactly("a", "c");
    }

    @Test
    void workerFails_softNoReplace_itsNodeIsWaitedFor() {
        PlannerFixture run = run(new SoftNoReplace(), 2, "a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);

        Round suspended = run.publishOne();

        assertThat(suspended.awaited()).isEqualTo(1);
        assertThat(suspended.orders()).containsExactly(new Order("a", Order.Kind.RESTART, 0));
        run.node("a").generation(1).phase(NodePhase.READY);
        assertThat(run.publishOne().number()).isEqualTo(2);
        assertThat(run.members()).containsExactly("b", "a");
        assertThat(run.round().budgetUsed()).isEqualTo(1);
    }

    @Test
    void spareIsReady_nobodyIsWaitedFor() {
        PlannerFixture run = run(new SoftNoReplace(), 2, "a", "b");
        run.join("c");
        run.plan();

        Round round = run.lose("a").publishOne();

        assertThat(round.suspended()).isFalse();
        assertThat(run.members()).containsExactly("b", "c");
    }

    @Test
    void nodeLeavesInGoodOrder_isNotWaitedFor() {
        PlannerFixture run = run(new SoftNoReplace(), 2, "a", "b");
        run.node("a").phase(NodePhase.DRAINING);

        assertThat(run.publishOne().suspended()).isFalse();
    }

    @Test
    void anotherIsLostMeanwhile_bothAreAwaitedNoLonger() {
        PlannerFixture run = run(new SoftNoReplace(), 3, "a", "b", "c");
        run.lose("b").publishOne();
        run.pass(Duration.ofSeconds(20)).lose("c");

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(1);
        assertThat(round.awaited()).isEqualTo(2);
        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(Duration.ofSeconds(10));
        run.join("b");
        assertThat(run.plan().gathering().kind()).isEqualTo(Gathering.Kind.REPLACEMENT);
        assertThat(run.plan().reason()).contains(" 1 node ");
    }

    @Test
    void nobodyReturns_belowMinimum_joinTimeoutBeginsThen() {
        PlannerFixture run =
                PlannerFixture.patient(new SoftNoReplace(), 2, 2, WAIT).running("a", "b");
        run.lose("b").publishOne();

        run.pass(WAIT);

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.JOIN);
        run.pass(PlannerFixture.JOIN);
        assertThat(run.end().exitCode()).isEqualTo(3);
    }

    @Test
    void workerFails_softReplace_theWaitDoesNotEndTheReplacement() {
        PlannerFixture run = run(new SoftReplace(), 2, "a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);

        assertThat(run.publishOne().awaited()).isZero();
        assertThat(run.pass(WAIT.multipliedBy(9)).plan().decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
    }
}
