/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;

/** A policy with another rule: as soft-no-replace, but no failure costs a restart. */
final class FreeOfCharge implements RestartPolicyStrategy {
    private final SoftNoReplace as = new SoftNoReplace();

    @Override
    public String name() {
        return "free-of-charge";
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        return as.decide(view) instanceof RestartDecision.Reform reform
                ? new RestartDecision.Reform(reform.restart(), reform.replace(), reform.leave(), 0, reform.causes())
                : as.decide(view);
    }
}
