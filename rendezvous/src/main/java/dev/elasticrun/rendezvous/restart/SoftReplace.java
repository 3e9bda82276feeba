/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code soft-replace}: only failed workers are replaced, and keep their ranks; all others pause meanwhile. Without a
 * restart left, and for nodes that are lost, join or leave, it does what {@code soft-no-replace} does.
 */
public final class SoftReplace implements RestartPolicyStrategy {
    private final RestartPolicyStrategy soft = new SoftNoReplace();

    @Override
    public String name() {
        return "soft-replace";
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public boolean replacesWorkers() {
        return true;
    }

    @Override
    public Optional<RestartPolicyStrategy> withSpares() {
        return Optional.of(new SoftReplaceWithSpares());
    }

    @Override
    public RestartDecision decide(GroupView view) {
        RestartDecision decision = soft.decide(view);
        if (decision instanceof RestartDecision.Reform reform) {
            Set<String> replace = new TreeSet<>(reform.restart());
            return new RestartDecision.Reform(Set.of(), replace, reform.leave(), reform.charge(), reform.causes());
        }
        return decision;
    }
}
