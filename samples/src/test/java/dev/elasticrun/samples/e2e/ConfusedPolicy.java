/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;

/** A user's policy with a bug: it fails when a worker does. */
public final class ConfusedPolicy implements RestartPolicyStrategy {
    static final String NAME = "confused";
    static final String WHY = "no idea about failed nodes: ";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        if (!view.culprits().isEmpty()) {
            throw new IllegalStateException(WHY + view.culprits().size());
        }
        return new RestartDecision.Keep("all is well");
    }
}
