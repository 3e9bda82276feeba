/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code soft-no-replace}, also called {@code soft}: healthy workers are never stopped. The node of a failed worker
 * stops its local workers and comes back as a newcomer while the budget lasts; the others continue without it.
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
        List<Cause> causes = new ArrayList<>();
        List<Cause> changes = MembershipChange.causes(view);
        if (failed.isEmpty() && changes.isEmpty()) {
            return new RestartDecision.Keep("all is well");
        }
        List<String> culprits = view.culprits();
        Set<String> leave =
                new TreeSet<>(culprits.subList(Math.min(view.budgetLeft(), culprits.size()), culprits.size()));
        Set<String> restart = new TreeSet<>(failed);
        restart.removeAll(leave);
        int charge = culprits.size() - leave.size();
        if (!failed.isEmpty()) {
            causes.add(new Cause.WorkersFailed(failed, List.copyOf(leave), false));
        }
        causes.addAll(changes);
        return new RestartDecision.Reform(restart, Set.of(), leave, charge, causes);
    }
}
