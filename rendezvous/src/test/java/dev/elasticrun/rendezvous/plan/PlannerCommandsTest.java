/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.HardRestart;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;
import dev.elasticrun.rendezvous.restart.SoftReplace;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PlannerCommandsTest {

    static Stream<RestartPolicyStrategy> policies() {
        return Stream.of(new SoftNoReplace(), new SoftReplace(), new HardRestart());
    }

    private static Command drain(String nodeId) {
        return Command.drain("r-" + nodeId, nodeId, false, "alice");
    }

    private static Command scale(int min, int max) {
        return Command.scale("r-" + min + max, min, max, false, "alice");
    }

    @Test
    void drain_memberOfASoftRun_oneRoundWithoutItThatAsksItToLeave() {
        PlannerFixture run = PlannerFixture.soft(1, 3, 2).running("a", "b", "c");

        Round next = run.ask(drain("b")).publishOne();

        assertThat(run.members()).containsExactly("a", "c");
        assertThat(next.orders()).containsExactly(new Order("b", Order.Kind.DRAIN, 0));
        assertThat(next.lastCommand()).isEqualTo(1);
        assertThat(next.causes()).containsExactly(new Cause.NodesLeaving(List.of("b")), new Cause.DrainCommanded());
        assertThat(next.history().troubles()).isEmpty();
        assertThat(run.settled()).singleElement().matches(CommandResult::accepted);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void drain_whateverThePolicy_usesNoBudgetAndIsDoneOnce(RestartPolicyStrategy policy) {
        PlannerFixture run = PlannerFixture.of(policy, 1, 3, 0).running("a", "b", "c");

        run.ask(drain("b")).publish();
        run.node("b").phase(NodePhase.DRAINING);
        run.takeover().nextSealed();
        run.lose("b").allWorkOf("a", "c");
        Plan after = run.takeover().publish();

        assertThat(run.members()).containsExactly("a", "c");
        assertThat(run.round().budgetUsed()).isZero();
        assertThat(run.settled()).hasSize(1);
        assertThat(after.decision()).isNotInstanceOf(Decision.End.class);
    }

    @Test
    void drain_lastNodeThatIsNeeded_isRefusedUnlessForced() {
        PlannerFixture run = PlannerFixture.soft(2, 3, 2).running("a", "b");

        Round same = run.ask(drain("b")).publishOne();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(same.number()).isEqualTo(1);
        assertThat(same.orders()).isEmpty();
        assertThat(run.settled()).singleElement().satisfies(settled -> {
            assertThat(settled.accepted()).isFalse();
            assertThat(settled.answer()).contains("(a)", "--force");
        });
        run.ask(Command.drain("other", "b", true, "alice")).publish();
        assertThat(run.round().suspended()).isTrue();
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void drain_aStandbyIsThere_itTakesThePlaceInTheSameRound() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 2).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);

        run.ask(drain("b")).publishOne();

        assertThat(run.members()).containsExactly("a", "c");
    }

    @Test
    void drain_standby_membersKeepTheirRound() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");
        Round before = run.round();
        run.join("c").phase(NodePhase.STANDBY);

        Round same = run.ask(drain("c")).publishOne();

        assertThat(same.amends(before)).isTrue();
        assertThat(same.participants()).isEqualTo(before.participants());
        assertThat(same.order("c").map(Order::kind)).contains(Order.Kind.DRAIN);
        run.lose("a");
        run.publish();
        assertThat(run.members())
                .as("a node that was asked to leave is not admitted")
                .containsExactly("b");
    }

    @Test
    void drain_beforeTheFirstRound_theNodeIsNotWaitedFor() {
        PlannerFixture run = PlannerFixture.soft(2, 3, 2);
        run.join("a");
        run.join("b").phase(NodePhase.STARTING);
        run.join("c");

        run.ask(drain("b")).publish();
        run.pass(PlannerFixture.LAST_CALL).publish();

        assertThat(run.round().number()).isEqualTo(1);
        assertThat(run.members()).containsExactly("a", "c");
        assertThat(run.settled()).hasSize(1);
    }

    @Test
    void drain_unknownNode_isRefusedAndNamesTheOthers() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");

        run.ask(drain("z")).publishOne();

        assertThat(run.settled()).singleElement().satisfies(settled -> {
            assertThat(settled.accepted()).isFalse();
            assertThat(settled.answer()).contains("a, b");
        });
    }

    @Test
    void scale_up_standbysAreAdmittedAtOnceWhenTheRoundGetsFull() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.join("d").phase(NodePhase.STANDBY);

        Round next = run.ask(scale(2, 4)).publishOne();

        assertThat(run.members()).containsExactly("a", "b", "c", "d");
        assertThat(next.number()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void scale_down_theYoungestStandBy(RestartPolicyStrategy policy) {
        PlannerFixture run = PlannerFixture.of(policy, 1, 4, 0).running("a", "b", "c", "d");

        run.ask(scale(1, 2)).nextSealed();

        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.round().orders()).isEmpty();
        assertThat(run.round().budgetUsed()).isZero();
        assertThat(run.round().causes())
                .containsExactly(new Cause.NodesExcluded(List.of("c", "d")), new Cause.ScaleCommanded("1:2"));
        run.node("c").phase(NodePhase.STANDBY);
        run.node("d").phase(NodePhase.STANDBY);
        assertThat(run.allWorkOf("a", "b").plan().decision()).isNotInstanceOf(Decision.Publish.class);
    }

    @Test
    void scale_theSameNumbers_changesNothing() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");
        Round before = run.round();

        Round same = run.ask(scale(1, 2)).publishOne();

        assertThat(same.amends(before)).isTrue();
        assertThat(same).isEqualTo(before.withCommand(1));
        assertThat(run.settled()).singleElement().satisfies(settled -> assertThat(settled.answer())
                .contains("1:2"));
    }

    @Test
    void scale_minimumThatIsNotThere_isRefusedUnlessForced() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");

        run.ask(scale(3, 4)).publishOne();
        run.ask(Command.scale("f", 3, 4, true, "")).publishOne();

        assertThat(run.settled()).extracting(CommandResult::accepted).containsExactly(false, true);
        assertThat(run.settled().get(0).answer()).contains("2 nodes", "1 more", "--force");
        run.lose("b").publish();
        assertThat(run.round().suspended()).isTrue();
    }

    @Test
    void scale_runWaitsBelowItsMinimum_goesOnWithALowerOne() {
        PlannerFixture run = PlannerFixture.soft(2, 3, 2).running("a", "b");
        run.lose("b").publish();
        assertThat(run.round().suspended()).isTrue();

        run.ask(scale(1, 3)).publishOne();

        assertThat(run.round().suspended()).isFalse();
        assertThat(run.members()).containsExactly("a");
    }

    @Test
    void scale_beforeTheFirstRound_theFirstRoundHasTheNewNumbers() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 2);
        run.join("a");
        run.plan();

        run.ask(scale(1, 1)).publish();

        assertThat(run.round().number()).isEqualTo(1);
        assertThat(run.members()).containsExactly("a");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void restart_allMembers_startAfreshOnceWithoutBudget(RestartPolicyStrategy policy) {
        PlannerFixture run = PlannerFixture.of(policy, 1, 2, 0).running("a", "b");

        run.ask(Command.restart("r", "alice")).publish();

        assertThat(run.round().suspended()).isTrue();
        if (policy.workersOutliveRounds()) {
            assertThat(run.round().orders())
                    .containsExactlyInAnyOrder(
                            new Order("a", Order.Kind.RESTART, 0), new Order("b", Order.Kind.RESTART, 0));
            run.node("a").restarted();
            run.node("b").restarted();
        }
        Round next = run.takeover().nextSealed();
        assertThat(next.budgetUsed()).isZero();
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.allWork().publish().decision()).isNotInstanceOf(Decision.Publish.class);
        assertThat(run.settled()).hasSize(1);
    }

    @Test
    void restart_aStandbyIsThere_membersKeepTheirPlaces() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");
        run.join("c").phase(NodePhase.STANDBY);
        run.ask(scale(1, 2)).publish();

        run.ask(Command.restart("r", "alice")).publish();
        run.node("a").restarted();
        run.publish();
        assertThat(run.round().suspended()).as("b has not obeyed yet").isTrue();
        run.node("b").restarted();
        run.nextSealed();

        assertThat(run.members()).containsExactly("a", "b");
    }

    @Test
    void restart_membersLostTheirPlacesToAnOutage_waitsForThemAndRestartsThem() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");
        run.lose("a").lose("b").storeIsBack();

        assertThat(run.ask(Command.restart("r", "alice")).publish().gathering().kind())
                .isEqualTo(Gathering.Kind.LOSS_GRACE);
        assertThat(run.settled()).isEmpty();
        run.join("a").phase(NodePhase.READY);
        run.join("b").phase(NodePhase.READY);
        run.publish();

        assertThat(run.round().suspended()).isTrue();
        assertThat(run.round().orders())
                .containsExactlyInAnyOrder(
                        new Order("a", Order.Kind.RESTART, 0), new Order("b", Order.Kind.RESTART, 0));
    }

    @Test
    void restart_noRoundYet_isRefused() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 2);
        run.join("a");

        run.ask(Command.restart("r", "alice")).publish();

        assertThat(run.settled()).singleElement().matches(settled -> !settled.accepted());
    }

    @Test
    void stop_ends_withTheCodeOfATermAndWhoAskedForIt() {
        PlannerFixture run = PlannerFixture.soft(1, 2, 2).running("a", "b");

        Verdict verdict = run.ask(Command.stop("r", "alice")).end();

        assertThat(verdict.exitCode()).isEqualTo(143);
        assertThat(verdict.causes()).containsExactly(new Cause.StopCommanded("alice"));
        assertThat(verdict.word()).isEqualTo("STOPPED");
        assertThat(verdict.failures()).isEmpty();
    }

    @Test
    void commands_several_areConsumedInOrder() {
        PlannerFixture run = PlannerFixture.soft(1, 4, 2).running("a", "b", "c", "d");

        run.ask(drain("d")).ask(scale(1, 2)).ask(drain("z"));
        run.publish();
        run.allWorkOf("a", "b", "c").publish();

        assertThat(run.settled())
                .extracting(settled -> settled.command().number())
                .containsExactly(1L, 2L, 3L);
        assertThat(run.members()).containsExactly("a", "b");
        assertThat(run.round().lastCommand()).isEqualTo(3);
    }

    @Test
    void drain_aPolicyThatKeepsEveryRound_isDoneAllTheSame() {
        PlannerFixture run = PlannerFixture.of(new Keeper(), 1, 2, 2).running("a", "b");

        run.ask(drain("b")).publishOne();

        assertThat(run.members()).containsExactly("a");
    }

    /** Answers nothing. */
    private static final class Keeper implements RestartPolicyStrategy {
        @Override
        public String name() {
            return "keeper";
        }

        @Override
        public boolean workersOutliveRounds() {
            return true;
        }

        @Override
        public RestartDecision decide(GroupView view) {
            return new RestartDecision.Keep("whatever happens");
        }
    }
}
