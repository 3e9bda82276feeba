/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code soft-no-replace}, also called {@code soft}: healthy workers are never stopped. The node of a failed worker
 * stops its local workers and comes back as a newcomer while the budget lasts; the others go on without it.
 */
public final class SoftNoReplace implements RestartPolicyStrategy {

    @Override
    public String name() {
        return "soft-no-replace";
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        List<String> failed = view.in(MemberState.FAILED);
        String change = MembershipChange.describe(view);
        if (failed.isEmpty() && change.isEmpty()) {
            return new RestartDecision.Keep("all is well");
        }
        List<String> culprits = view.culprits();
        Set<String> leave =
                new TreeSet<>(culprits.subList(Math.min(view.budgetLeft(), culprits.size()), culprits.size()));
        Set<String> restart = new TreeSet<>(failed);
        restart.removeAll(leave);
        int charge = culprits.size() - leave.size();
        StringBuilder reason = new StringBuilder();
        if (!failed.isEmpty()) {
            reason.append("worker failed on ").append(String.join(", ", failed));
            if (!leave.isEmpty()) {
                reason.append(", and no restart is left for ").append(String.join(", ", leave));
            }
            reason.append(change.isEmpty() ? "" : "; ");
        }
        return new RestartDecision.Reform(
                restart, leave, charge, reason.append(change).toString());
    }
}
