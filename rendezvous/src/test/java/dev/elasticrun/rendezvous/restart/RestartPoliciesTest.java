/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RestartPoliciesTest {
    private static final List<MemberState> STATES = List.of(MemberState.values());

    @Test
    void byName_known_isFound() {
        assertThat(RestartPolicies.byName("hard").workersOutliveRounds()).isFalse();
        assertThat(RestartPolicies.byName("soft").name()).isEqualTo("soft-no-replace");
        assertThat(RestartPolicies.byName("soft-no-replace").workersOutliveRounds())
                .isTrue();
    }

    @Test
    void byName_unknown_isRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> RestartPolicies.byName("gentle"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "--restart-policy: gentle ", "hard, soft-elastic, soft-no-replace, soft-replace");
    }

    @Test
    void hard_workerFails_restartsAllForOne() {
        GroupView view = view(3, member("a", MemberState.FAILED, false), member("b", MemberState.FAILED, false));

        assertThat(new HardRestart().decide(view))
                .isEqualTo(new RestartDecision.RestartAll(1, List.of(new Cause.WorkersFailed(List.of("a", "b")))));
    }

    @Test
    void hard_onlyCollateralFailures_areFree() {
        GroupView view = view(0, member("a", MemberState.FAILED, true), member("b", MemberState.LOST, false));

        assertThat(new HardRestart().decide(view))
                .isEqualTo(new RestartDecision.RestartAll(
                        0, List.of(new Cause.WorkersFailed(List.of("a"), List.of(), true))));
    }

    @Test
    void soft_failureAndLoss_areOneReform() {
        GroupView view = view(3, member("a", MemberState.FAILED, false), member("b", MemberState.LOST, false));

        RestartDecision decision = new SoftNoReplace().decide(view);

        assertThat(((RestartDecision.Reform) decision).causes())
                .containsExactly(new Cause.WorkersFailed(List.of("a")), new Cause.NodesLost(List.of("b")));
        assertThat(((RestartDecision.Reform) decision).restart()).containsExactly("a");
    }

    @Test
    void softReplace_workerFails_replacesItAlone() {
        GroupView view = view(3, member("a", MemberState.FAILED, false), member("b", MemberState.LOST, false));

        assertThat(new SoftReplace().decide(view))
                .isEqualTo(new RestartDecision.Reform(
                        Set.of(),
                        Set.of("a"),
                        Set.of(),
                        1,
                        List.of(new Cause.WorkersFailed(List.of("a")), new Cause.NodesLost(List.of("b")))));
    }

    @Test
    void softReplace_noBudget_culpritLeavesAndCollateralIsReplaced() {
        GroupView view = view(0, member("a", MemberState.FAILED, false), member("b", MemberState.FAILED, true));

        RestartDecision.Reform reform = (RestartDecision.Reform) new SoftReplace().decide(view);

        assertThat(reform.leave()).containsExactly("a");
        assertThat(reform.replace()).containsExactly("b");
        assertThat(reform.charge()).isZero();
    }

    @Test
    void softElastic_workerFails_itsNodeContinuesWithTheOthers() {
        GroupView view =
                view(1, new GroupView.Member("a", MemberState.FAILED, false, 3), member("b", MemberState.LOST, false));

        RestartDecision.Reform reform = (RestartDecision.Reform) new SoftElastic().decide(view);

        assertThat(reform.regrow()).containsExactly("a");
        assertThat(reform.charge()).isOne();
        assertThat(reform.restart()).isEmpty();
        assertThat(reform.replace()).isEmpty();
    }

    @Test
    void softElastic_noBudget_nodesWithOtherWorkersShrinkAndOthersLeave() {
        GroupView view = view(
                0,
                new GroupView.Member("a", MemberState.FAILED, false, 1),
                new GroupView.Member("b", MemberState.FAILED, false, 0));

        RestartDecision.Reform reform = (RestartDecision.Reform) new SoftElastic().decide(view);

        assertThat(reform.shrink()).containsExactly("a");
        assertThat(reform.leave()).containsExactly("b");
        assertThat(reform.charge()).isZero();
    }

    @Test
    void path_severalEntries_areSeparated() {
        assertThat(PolicyPath.entries("a.jar::b")).containsExactly(Path.of("a.jar"), Path.of("b"));
        assertThat(PolicyPath.entries("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft-no-replace", "soft-replace", "soft-elastic"})
    void decide_anyGroup_everyFailedMemberIsDealtWithOnce(String name) {
        RestartPolicyStrategy policy = RestartPolicies.byName(name);
        for (int seed = 0; seed < 5_000; seed++) {
            GroupView view = anyView(new Random(seed));
            RestartDecision decision = policy.decide(view);
            check(view, decision, "seed " + seed + " " + view + " " + decision);
        }
    }

    private static void check(GroupView view, RestartDecision decision, String shown) {
        List<String> failed = view.in(MemberState.FAILED);
        if (decision instanceof RestartDecision.Reform reform) {
            List<String> named = new ArrayList<>(reform.restart());
            named.addAll(reform.replace());
            named.addAll(reform.regrow());
            named.addAll(reform.shrink());
            named.addAll(reform.leave());
            assertThat(named).as(shown).containsExactlyInAnyOrderElementsOf(failed);
            assertThat(reform.leave()).as(shown).isSubsetOf(view.culprits());
        } else if (decision instanceof RestartDecision.RestartAll all) {
            assertThat(all.charge()).as(shown).isEqualTo(view.culprits().isEmpty() ? 0 : 1);
            assertThat(all.charge()).as(shown).isLessThanOrEqualTo(view.budgetLeft());
        } else if (decision instanceof RestartDecision.Fail) {
            assertThat(view.budgetLeft()).as(shown).isZero();
            assertThat(view.culprits()).as(shown).isNotEmpty();
        }
    }

    private static GroupView anyView(Random random) {
        List<GroupView.Member> members = new ArrayList<>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            MemberState state = STATES.get(random.nextInt(STATES.size()));
            boolean failed = state == MemberState.FAILED;
            members.add(new GroupView.Member(
                    "n" + i, state, failed && random.nextBoolean(), failed ? random.nextInt(3) : 0));
        }
        return new GroupView(7, members, random.nextInt(3), random.nextInt(4) == 0, random.nextInt(3));
    }

    private static GroupView view(int budgetLeft, GroupView.Member... members) {
        return new GroupView(1, List.of(members), 0, false, budgetLeft);
    }

    private static GroupView.Member member(String nodeId, MemberState state, boolean collateral) {
        return new GroupView.Member(nodeId, state, collateral);
    }
}
