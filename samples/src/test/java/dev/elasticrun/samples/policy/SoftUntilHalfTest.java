/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyContract;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SoftUntilHalfTest extends RestartPolicyContract {

    @Override
    protected RestartPolicyStrategy policy() {
        return new SoftUntilHalf();
    }

    @Test
    void decide_oneOfThreeFails_isSoft() {
        assertThat(policy().decide(view(member("a", MemberState.FAILED), healthy("b"), healthy("c"))))
                .isEqualTo(new RestartDecision.Reform(
                        Set.of("a"), Set.of(), Set.of(), 1, List.of(new Cause.WorkersFailed(List.of("a")))));
    }

    @Test
    void decide_oneOfTwoFails_restartsAll() {
        assertThat(policy().decide(view(member("a", MemberState.FAILED), healthy("b"))))
                .isEqualTo(new RestartDecision.RestartAll(1, "workers of 1 of 2 nodes failed at once"));
    }

    private static GroupView view(GroupView.Member... members) {
        return new GroupView(1, List.of(members), 0, false, 3);
    }

    private static GroupView.Member healthy(String nodeId) {
        return member(nodeId, MemberState.HEALTHY);
    }

    private static GroupView.Member member(String nodeId, MemberState state) {
        return new GroupView.Member(nodeId, state, false);
    }
}
