/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;

/** A user's policy with a bug: it fails when a worker does. */
public final class ConfusedPolicy implements RestartPolicyStrategy {
    static final String NAME = "confused";

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
            throw new IllegalStateException("no idea about " + view.culprits().size() + " failed nodes");
        }
        return new RestartDecision.Keep("all is well");
    }
}
