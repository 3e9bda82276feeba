/* SPDX-License-Identifier: Apache-2.0 */
package com.example.policy;

import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftElastic;
import java.util.ArrayList;
import java.util.List;

/** Decides as soft-elastic does, and states how many nodes had failed. */
public final class ElasticWithReason implements RestartPolicyStrategy {
    private final RestartPolicyStrategy elastic = new SoftElastic();

    @Override
    public String name() {
        return "elastic-with-reason";
    }

    @Override
    public boolean workersOutliveRounds() {
        return elastic.workersOutliveRounds();
    }

    @Override
    public boolean elasticWorkers() {
        return elastic.elasticWorkers();
    }

    @Override
    public RestartDecision decide(GroupView view) {
        RestartDecision decision = elastic.decide(view);
        if (view.culprits().isEmpty() || !(decision instanceof RestartDecision.Reform reform)) {
            return decision;
        }
        List<Cause> causes = new ArrayList<>(reform.causes());
        causes.add(new Cause.Policy("nodes with a failure: " + view.culprits().size()));
        return new RestartDecision.Reform(
                reform.restart(),
                reform.replace(),
                reform.regrow(),
                reform.shrink(),
                reform.leave(),
                reform.charge(),
                causes);
    }
}
