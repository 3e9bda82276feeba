/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members that a coordinator misses which has not looked for long. */
final class PlannerGraceTest {

    @Test
    void elected_twoMissing_waitsOneTtlAndPublishesNothing() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        run.lose("b").lose("c");

        Plan plan = run.plan();

        assertThat(PlannerFixture.untilDeadline(run, plan)).isEqualTo(PlannerFixture.LEASE);
        assertGrace(plan, "b, c");
        run.pass(PlannerFixture.LEASE);
        assertThat(run.publishOne().causes()).containsExactly(new Cause.NodesLost(List.of("b", "c")));
        assertThat(run.members()).containsExactly("a");
    }

    private static void assertGrace(Plan plan, String nodes) {
        assertThat(plan.gathering().kind()).isEqualTo(Gathering.Kind.LOSS_GRACE);
        assertThat(plan.reason()).contains(" " + nodes + " ");
    }

    @Test
    void elected_belowMinimumAndTwoMissing_suspendsOnlyAfterTheTtl() {
        PlannerFixture run = PlannerFixture.soft(3, 3, 3).running("a", "b", "c").takeover();
        run.lose("b").lose("c");

        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.pass(PlannerFixture.LEASE);
        assertThat(run.publishOne().suspended()).isTrue();
    }

    @Test
    void elected_bothComeBack_oneRoundForAll() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        run.lose("b").lose("c");
        run.plan();
        run.pass(Duration.ofSeconds(1)).join("b");

        assertGrace(run.plan(), "c");
        run.join("c");
        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(1);
        assertThat(run.members()).containsExactly("a", "b", "c");
        run.allWork();
        assertThat(run.plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void elected_oneMissingAndOneBackAlready_waitsForTheOther() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        run.lose("b").lose("c").join("b");

        assertGrace(run.plan(), "c");
        run.join("c");

        assertThat(run.publishOne().number()).isEqualTo(2);
        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void elected_oneMissing_isCountedLostAtOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        run.lose("b");

        assertThat(run.publishOne().causes()).containsExactly(new Cause.NodesLost(List.of("b")));
    }

    @Test
    void elected_deathsProved_areCountedLostAtOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        run.node("a").proves(run.node("b")).proves(run.node("c"));
        run.lose("b").lose("c");

        assertThat(run.publishOne().causes()).containsExactly(new Cause.NodesLost(List.of("b", "c")));
    }

    @Test
    void elected_oneOfTwoProved_theOtherIsCountedLostToo() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        run.node("a").proves(run.node("b"));
        run.lose("b").lose("c");

        assertThat(run.publishOne().causes()).containsExactly(new Cause.NodesLost(List.of("b", "c")));
    }

    @Test
    void elected_aWorkerFailsMeanwhile_cannotWait() {
        PlannerFixture run =
                PlannerFixture.soft(1, 4, 3).running("a", "b", "c", "d").takeover();
        run.lose("b").lose("c");
        run.plan();
        run.node("d").fails().phase(NodePhase.STARTING);

        assertThat(run.publishOne().causes())
                .containsExactly(new Cause.WorkersFailed(List.of("d")), new Cause.NodesLost(List.of("b", "c")));
    }

    @Test
    void settled_twoMissing_areCountedLostAtOnce() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").pass(PlannerFixture.LEASE);
        run.lose("b").lose("c");

        assertThat(run.publishOne().causes()).containsExactly(new Cause.NodesLost(List.of("b", "c")));
    }

    @Test
    void storeIsBack_twoMissing_waitsOneTtlFromThen() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c");
        run.pass(Duration.ofMinutes(1)).storeIsBack();
        run.lose("b").lose("c");
        run.pass(Duration.ofSeconds(1));

        assertThat(PlannerFixture.untilDeadline(run, run.plan())).isEqualTo(PlannerFixture.LEASE.minusSeconds(1));
    }

    @Test
    void storeIsBack_underHardWhileStopping_waitsToo() {
        PlannerFixture run = PlannerFixture.hard(1, 3, 3).running("a", "b", "c");
        run.node("a").fails();
        run.publishOne();
        run.node("a").stopped(run.round()).reserved();
        run.pass(Duration.ofMinutes(1)).storeIsBack();
        run.lose("b").lose("c");

        assertGrace(run.plan(), "b, c");
        run.pass(PlannerFixture.LEASE);
        run.publishOne();
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void elected_missingAndTheRestDone_doesNotSucceedBeforeTheTtl() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 3).running("a", "b", "c").takeover();
        run.node("a").phase(NodePhase.DONE);
        run.lose("b").lose("c");

        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.pass(PlannerFixture.LEASE);
        assertThat(run.end().succeeded()).isTrue();
    }
}
