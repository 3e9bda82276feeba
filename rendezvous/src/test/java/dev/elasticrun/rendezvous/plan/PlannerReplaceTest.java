/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.SoftReplace;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PlannerReplaceTest {

    private static PlannerFixture run(String... nodeIds) {
        return PlannerFixture.of(new SoftReplace(), 1, nodeIds.length, 3).running(nodeIds);
    }

    @Test
    void workerFails_suspendsTheSameMembersAndOrdersAReplacement() {
        PlannerFixture run = run("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(1);
        assertThat(round.suspended()).isTrue();
        assertThat(round.replaces()).isTrue();
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.orders()).containsExactly(new Order("a", Order.Kind.REPLACE, 0));
        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(run.plan().decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        assertThat(run.plan().gathering().kind()).isEqualTo(Gathering.Kind.REPLACEMENT);
        assertThat(run.plan().reason()).contains(" a ");
    }

    @Test
    void replacementReady_sealsTheSameWorldWithTheNewGeneration() {
        PlannerFixture run = run("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("b").newMaster(run.round());
        run.node("a").generation(1).newMaster(run.round());
        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.node("a").phase(NodePhase.READY);

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(2);
        assertThat(round.world()).isEqualTo(1);
        assertThat(round.suspended()).isFalse();
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.participant("a").orElseThrow().generation()).isEqualTo(1);
        assertThat(round.orders()).isEmpty();
        assertThat(round.budgetUsed()).isEqualTo(1);
        assertThat(round.incident()).isEqualTo(2);
        assertThat(run.allWork().plan().decision()).isEqualTo(new Decision.Idle());
    }

    @Test
    void workersOfTwoNodesFail_areReplacedInOneRound() {
        PlannerFixture run = run("a", "b", "c");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.node("b").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(round.orders())
                .containsExactly(new Order("a", Order.Kind.REPLACE, 0), new Order("b", Order.Kind.REPLACE, 0));
        assertThat(round.budgetUsed()).isEqualTo(2);
    }

    @Test
    void anotherFailsMeanwhile_sameNumberWithBothOrders() {
        PlannerFixture run = run("a", "b", "c");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("a").generation(1);
        run.node("b").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(round.number()).isEqualTo(1);
        assertThat(round.orders())
                .containsExactly(new Order("a", Order.Kind.REPLACE, 0), new Order("b", Order.Kind.REPLACE, 0));
        assertThat(round.budgetUsed()).isEqualTo(2);
        run.node("a").phase(NodePhase.READY).newMaster(round);
        assertThat(run.plan().reason()).contains(" b ").doesNotContain(" a ");
        run.node("b").generation(1).phase(NodePhase.READY);
        assertThat(run.publishOne().number()).isEqualTo(2);
        assertThat(run.round().world()).isEqualTo(1);
    }

    @Test
    void sameNodeFailsAgainMeanwhile_isNotChargedAgain() {
        PlannerFixture run = run("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("a").generation(1).fails();

        assertThat(run.plan().decision()).isInstanceOf(Decision.Wait.class);
        run.node("a").generation(2).phase(NodePhase.READY).newMaster(run.round());

        assertThat(run.publishOne().budgetUsed()).isEqualTo(1);
        assertThat(run.round().number()).isEqualTo(2);
    }

    @Test
    void failedNodeIsLost_theOthersGoOnAtOnce() {
        PlannerFixture run = run("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();

        run.lose("a").publishOne();

        assertThat(run.members()).containsExactly("b");
        assertThat(run.round().number()).isEqualTo(2);
        assertThat(run.round().world()).isEqualTo(2);
    }

    @Test
    void anotherNodeIsLostMeanwhile_theReplacementIsStillAwaited() {
        PlannerFixture run = run("a", "b", "c");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();

        run.lose("c").publishOne();

        assertThat(run.round().number()).isEqualTo(1);
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.round().replaces()).isFalse();
        run.node("a").generation(1).phase(NodePhase.READY).newMaster(run.round());
        assertThat(run.publishOne().world()).isEqualTo(2);
        assertThat(run.members()).containsExactly("a", "b");
    }

    @Test
    void freshWorkersCannotStart_theOthersGoOnWithoutTheNode() {
        PlannerFixture run = run("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.node("a").generation(4).phase(NodePhase.BROKEN);

        run.publishOne();

        assertThat(run.members()).containsExactly("b");
    }

    @Test
    void newcomerMeanwhile_waitsForTheNextRound() {
        PlannerFixture run = PlannerFixture.of(new SoftReplace(), 1, 3, 3).running("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();
        run.join("c");
        run.node("a").generation(1).phase(NodePhase.READY).newMaster(run.round());

        Round round = run.publishOne();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(round.world()).isEqualTo(1);
        run.allWork().pass(PlannerFixture.SCALE_UP);
        run.publishOne();
        assertThat(run.members()).containsExactly("a", "b", "c");
    }

    @Test
    void noBudgetLeft_nodeLeavesAndTheOthersGoOn() {
        PlannerFixture run = PlannerFixture.of(new SoftReplace(), 1, 2, 0).running("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);

        Round round = run.publishOne();

        assertThat(round.suspended()).isFalse();
        assertThat(run.members()).containsExactly("b");
        assertThat(round.orders()).containsExactly(new Order("a", Order.Kind.LEAVE, 0));
    }

    @Test
    void coordinatorChanges_theNewOneGoesOnWaiting() {
        PlannerFixture run = run("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();

        run.takeover();

        assertThat(run.plan().decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
    }

    @Test
    void replacement_takesLong_isWaitedFor() {
        PlannerFixture run = run("a", "b");
        run.node("a").fails().phase(NodePhase.STARTING);
        run.publishOne();

        run.pass(Duration.ofHours(5));

        assertThat(run.plan().decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
    }
}
