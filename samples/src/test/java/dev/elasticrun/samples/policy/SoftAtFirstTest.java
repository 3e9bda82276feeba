/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyContract;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.WorkerFailure;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SoftAtFirstTest extends RestartPolicyContract {
    private static final RestartDecision SOFT = new RestartDecision.Reform(
            Set.of("a"), Set.of(), Set.of(), 1, List.of(new Cause.WorkersFailed(List.of("a"))));

    @Override
    protected RestartPolicyStrategy policy() {
        return new SoftAtFirst();
    }

    @ParameterizedTest
    @CsvSource({"soft-at-first, 1", "soft-at-first:first=1, 0", "soft-at-first:first=3, 2"})
    void decide_amongTheFirstRestarts_isSoft(String policy, int before) {
        assertThat(RestartPolicies.byName(policy).decide(failing(before))).isEqualTo(SOFT);
    }

    @ParameterizedTest
    @CsvSource({"soft-at-first, 2", "soft-at-first:first=0, 0", "soft-at-first:first=1, 1"})
    void decide_afterThem_restartsAllAndStatesWhy(String policy, int before) {
        assertThat(RestartPolicies.byName(policy).decide(failing(before)))
                .isEqualTo(new RestartDecision.RestartAll(
                        1, "workers of [a] failed (signal 9) after " + before + " restarts"));
    }

    @Test
    void decide_noRestartLeft_isSoft() {
        GroupView view = failing(new GroupView.Restarts(9, 3, 3));

        assertThat(policy().decide(view))
                .isInstanceOfSatisfying(RestartDecision.Reform.class, reform -> assertThat(reform.leave())
                        .containsExactly("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft-at-first", "dev.elasticrun.samples.policy.SoftAtFirst"})
    void recordedDecision_byNameOrClass_hasItsOption(String name) {
        RestartPolicyStrategy policy = RestartPolicies.byNameOrClass("recorded policy", name + ":first=1", "");

        assertThat(policy.name()).isEqualTo("soft-at-first:first=1");
        assertThat(policy.decide(failing(0))).isEqualTo(SOFT);
        assertThat(policy.decide(failing(1))).isInstanceOf(RestartDecision.RestartAll.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "first", "first=", "first=-1", "first=two", "first=1000000", "last=2"})
    void option_bad_isRefusedByName(String option) {
        assertThatThrownBy(() -> RestartPolicies.byName("soft-at-first:" + option))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--restart-policy: soft-at-first:" + option + " (expected: first=N with N from 0 to 999999)");
    }

    private static GroupView failing(int restartsBefore) {
        return failing(new GroupView.Restarts(restartsBefore, restartsBefore, 9));
    }

    private static GroupView failing(GroupView.Restarts restarts) {
        WorkerFailure killed = new WorkerFailure(0, 0, WorkerFailure.Kind.SIGNAL, 137, "killed by signal 9", false);
        return new GroupView(
                1,
                List.of(
                        new GroupView.Member("a", MemberState.FAILED, false, 0, List.of(killed), 0),
                        new GroupView.Member("b", MemberState.HEALTHY, false)),
                0,
                0,
                false,
                restarts);
    }
}
