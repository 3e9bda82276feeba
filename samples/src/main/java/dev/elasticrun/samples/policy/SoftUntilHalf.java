/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.policy;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;

/**
 * Soft, until workers of half the nodes fail at once. That has one cause more often than many, a bad batch for instance,
 * and then all start again from their last checkpoint, for one restart, instead of dying one after the other.
 */
public final class SoftUntilHalf implements RestartPolicyStrategy {
    private final RestartPolicyStrategy soft = new SoftNoReplace();

    @Override
    public String name() {
        return "soft-until-half";
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        int failed = view.culprits().size();
        int nodes = view.members().size();
        if (failed > 0 && 2 * failed >= nodes && view.budgetLeft() > 0) {
            return new RestartDecision.RestartAll(1, "workers of " + failed + " of " + nodes + " nodes failed at once");
        }
        return soft.decide(view);
    }
}
