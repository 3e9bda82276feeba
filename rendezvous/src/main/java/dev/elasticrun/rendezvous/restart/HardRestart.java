/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.List;

/** {@code hard}: whatever happens, all workers are stopped and started again, as torchrun does. */
public final class HardRestart implements RestartPolicyStrategy {

    @Override
    public String name() {
        return "hard";
    }

    @Override
    public boolean workersOutliveRounds() {
        return false;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        List<String> failed = view.in(MemberState.FAILED);
        if (!failed.isEmpty()) {
            boolean collateral = view.culprits().isEmpty();
            List<Cause> causes = List.of(new Cause.WorkersFailed(failed, List.of(), collateral));
            if (collateral) {
                return new RestartDecision.RestartAll(0, causes);
            }
            return view.budgetLeft() > 0
                    ? new RestartDecision.RestartAll(1, causes)
                    : new RestartDecision.Fail(causes, CauseText.of(causes) + ", and no restart is left");
        }
        List<Cause> changes = MembershipChange.causes(view);
        return changes.isEmpty() ? new RestartDecision.Keep("all is well") : new RestartDecision.RestartAll(0, changes);
    }
}
