/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Set;

/**
 * {@code soft-replace} where nodes have spare workers: a ready spare takes the rank of a failed worker at once; where there is
 * none, all others pause until a fresh worker is ready. Without a restart left the node of the failed worker leaves. For nodes
 * that are lost, join or leave it does what {@code soft-no-replace} does.
 */
final class SoftReplaceWithSpares implements RestartPolicyStrategy {
    private final RestartPolicyStrategy soft = new SoftNoReplace();

    @Override
    public String name() {
        return "soft-replace with spares";
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public boolean elasticWorkers() {
        return true;
    }

    @Override
    public boolean waitsForWorkers() {
        return true;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        RestartDecision decision = soft.decide(view);
        return decision instanceof RestartDecision.Reform reform
                ? new RestartDecision.Reform(
                        Set.of(),
                        Set.of(),
                        reform.restart(),
                        Set.of(),
                        reform.leave(),
                        reform.charge(),
                        reform.causes())
                : decision;
    }
}
