/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Optional;

/**
 * A policy that was chosen with an option. The option is a part of its name: in the terms of the run, which all nodes have in
 * common, in recorded decisions, and wherever the policy is shown.
 *
 * @param policy to which the option was given
 */
record PolicyWithOption(RestartPolicyStrategy policy, String option) implements RestartPolicyStrategy {

    @Override
    public String name() {
        return policy.name() + GivenPolicy.SEPARATOR + option;
    }

    @Override
    public boolean workersOutliveRounds() {
        return policy.workersOutliveRounds();
    }

    @Override
    public boolean replacesWorkers() {
        return policy.replacesWorkers();
    }

    @Override
    public boolean elasticWorkers() {
        return policy.elasticWorkers();
    }

    @Override
    public boolean waitsForWorkers() {
        return policy.waitsForWorkers();
    }

    @Override
    public Optional<RestartPolicyStrategy> withSpares() {
        return policy.withSpares().map(spared -> new PolicyWithOption(spared, option));
    }

    @Override
    public RestartDecision decide(GroupView view) {
        return policy.decide(view);
    }
}
