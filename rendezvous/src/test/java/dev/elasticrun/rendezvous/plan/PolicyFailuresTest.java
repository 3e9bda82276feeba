/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.HardRestart;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.SoftElastic;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;
import dev.elasticrun.rendezvous.restart.SoftReplace;
import dev.elasticrun.rendezvous.restart.WorkerFailure;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a policy is asked about failures. */
final class PolicyFailuresTest {
    private static final WorkerFailure KILLED =
            new WorkerFailure(0, 1, WorkerFailure.Kind.SIGNAL, 137, "killed by signal 9", false);

    private static GroupView asked(PlannerFixture run) {
        return run.call().advice().get(0).view();
    }

    private static GroupView.Member member(GroupView view, String nodeId) {
        return view.members().stream()
                .filter(member -> member.nodeId().equals(nodeId))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void kinds_areThoseOfTheRecords() {
        assertThat(WorkerFailure.Kind.values())
                .extracting(Enum::name)
                .containsExactlyElementsOf(
                        Stream.of(FailureKind.values()).map(Enum::name).toList());
    }

    @Test
    void workerFails_itsMemberHasItsFailureAndOthersHaveNone() {
        PlannerFixture run = PlannerFixture.of(new SoftNoReplace(), 1, 3, 5).running("a", "b");
        run.node("b").fails();

        GroupView view = asked(run);

        assertThat(view.restarts()).isEqualTo(new GroupView.Restarts(0, 0, 5));
        assertThat(member(view, "a")).isEqualTo(new GroupView.Member("a", MemberState.HEALTHY, false, 0, List.of(), 0));
        assertThat(member(view, "b"))
                .isEqualTo(new GroupView.Member("b", MemberState.FAILED, false, 0, List.of(KILLED), 0));
        assertThat(view.failures()).containsExactly(KILLED);
    }

    @Test
    void workerReportsWhy_thePolicyHasItsMessage() {
        PlannerFixture run = PlannerFixture.of(new HardRestart(), 1, 3, 5).running("a", "b");
        run.node("a").failsWith("loss is NaN", "at Train.step", List.of("secret"));

        assertThat(asked(run).failures())
                .containsExactly(new WorkerFailure(0, 0, WorkerFailure.Kind.EXCEPTION, 137, "loss is NaN", false));
    }

    @Test
    void onlyConsequences_areOfTheirMemberAndNotOfTheRun() {
        PlannerFixture run = PlannerFixture.of(new SoftNoReplace(), 1, 3, 5).running("a", "b");
        run.node("b").fails(true);

        GroupView view = asked(run);

        assertThat(member(view, "b").failures()).singleElement().matches(WorkerFailure::collateral);
        assertThat(view.failures()).isEmpty();
    }

    @Test
    void workersOfANodeFailOneByOne_eachIsThere() {
        PlannerFixture run = PlannerFixture.of(new SoftElastic(), 1, 1, 5);
        run.join("a").slots(3);
        run.publish();
        run.pass(PlannerFixture.LAST_CALL).publish();
        run.allWork();
        run.node("a").slotFails(2).slotFails(1);

        assertThat(asked(run).failures()).extracting(WorkerFailure::rank).containsExactly(2, 1);
    }

    /** Soft; b failed, and works again. */
    private static PlannerFixture again(PlannerFixture run) {
        run.running("a", "b");
        run.node("b").fails();
        run.publishOne();
        run.allWork();
        run.node("b").restarted();
        run.nextSealed();
        assertThat(run.members()).containsExactly("a", "b");
        return run.allWork();
    }

    @Test
    void nodeFailsAgain_restartsAndItsFailuresAreCounted() {
        PlannerFixture run = again(PlannerFixture.of(new SoftNoReplace(), 1, 2, 5));
        run.node("b").fails();

        GroupView view = asked(run);

        assertThat(view.restarts()).isEqualTo(new GroupView.Restarts(1, 1, 5));
        assertThat(member(view, "a").failedBefore()).isZero();
        assertThat(member(view, "b").failedBefore()).isOne();
        assertThat(member(view, "b").failures()).containsExactly(KILLED);
    }

    @Test
    void nodeFailsAgain_hard_itsFailuresAreCounted() {
        PlannerFixture run = PlannerFixture.of(new HardRestart(), 1, 2, 5).running("a", "b");
        run.failsAndComesBack("b");
        run.node("b").fails();

        GroupView view = asked(run);

        assertThat(member(view, "b").failedBefore()).isOne();
        assertThat(member(view, "b").failures()).hasSize(1);
    }

    @Test
    void nodeFailsAgain_anotherCoordinatorAsksTheSame() {
        PlannerFixture run = again(PlannerFixture.of(new SoftNoReplace(), 1, 2, 5));
        run.node("b").fails();
        GroupView before = asked(run);

        assertThat(asked(run.takeover())).isEqualTo(before);
    }

    @Test
    void workersAreReplaced_theirFailuresAreOfTheRoundBefore() {
        PlannerFixture run = PlannerFixture.of(new SoftReplace(), 1, 2, 5).running("a", "b");
        run.node("b").fails();
        run.publishOne();

        GroupView view = asked(run);

        assertThat(member(view, "b"))
                .isEqualTo(new GroupView.Member("b", MemberState.REPLACING, false, 0, List.of(), 1));
        assertThat(view.restarts()).isEqualTo(new GroupView.Restarts(1, 1, 5));
    }

    @Test
    void nodeWorkedForLong_itsFailuresBeforeAreForgotten() {
        PlannerFixture run = PlannerFixture.of(new HardRestart(), 1, 2, 5).running("a", "b");
        run.failsAndComesBack("b");
        run.plan();
        run.pass(AdmissionDelay.FORGET);
        run.node("b").fails();

        assertThat(member(asked(run), "b").failedBefore()).isZero();
    }

    @Test
    void window_restartOfLongAgo_isChargedAndCountsNoMore() {
        Duration window = Duration.ofMinutes(30);
        PlannerFixture run = again(
                PlannerFixture.of(new SoftNoReplace(), 1, 2, 5).budget(new RestartBudget(5, window, Duration.ZERO)));
        run.pass(window);
        run.node("b").fails();

        GroupView view = asked(run);

        assertThat(view.restarts()).isEqualTo(new GroupView.Restarts(1, 0, 5));
        assertThat(view.budgetLeft()).isEqualTo(5);
    }
}
