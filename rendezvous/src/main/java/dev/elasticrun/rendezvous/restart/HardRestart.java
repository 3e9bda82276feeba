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
            String reason = "worker failed on " + String.join(", ", failed);
            if (view.culprits().isEmpty()) {
                return new RestartDecision.RestartAll(0, reason + ", of no fault of its own");
            }
            return view.budgetLeft() > 0
                    ? new RestartDecision.RestartAll(1, reason)
                    : new RestartDecision.Fail(reason + ", and no restart is left");
        }
        String change = MembershipChange.describe(view);
        return change.isEmpty() ? new RestartDecision.Keep("all is well") : new RestartDecision.RestartAll(0, change);
    }
}
