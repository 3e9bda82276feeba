/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import dev.elasticrun.rendezvous.fields.NestedFields;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives recorded input to the planner and the policy of this version. Each decision is made again for itself: what would
 * have followed from another one is not known. Owned by one thread.
 */
public final class Replay {
    private final Optional<RestartPolicyStrategy> other;
    private final String policyPath;
    private final Map<String, RestartPolicyStrategy> known = new HashMap<>();

    /** @param other by which each decision is made; empty = the one that made it, by its name */
    Replay(Optional<RestartPolicyStrategy> other, String policyPath) {
        this.other = other;
        this.policyPath = policyPath;
    }

    /**
     * @param flag by which another policy is chosen, for messages
     * @param policy name or class of another policy; empty = each decision is made by the policy that made it
     * @param policyPath jars and directories to look into besides the class path, separated by ':'; empty = none
     * @throws IllegalArgumentException when there is no such policy
     */
    public static Replay of(String flag, Optional<String> policy, String policyPath) {
        return new Replay(policy.map(name -> RestartPolicies.byNameOrClass(flag, name, policyPath)), policyPath);
    }

    /**
     * @throws IllegalArgumentException when the policy that made the decision is not known here, and when the recorded
     *     state is none that a run can have
     */
    public Replayed run(DecisionLine line) {
        RestartPolicyStrategy policy = other.orElseGet(() -> policy(line.call().policy()));
        try {
            return replayed(line.stamp(), line.call(), line.call().again(policy).withoutOutput());
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "decision of node " + line.stamp().node() + " at "
                            + line.stamp().time() + ": cannot be made again, as the line is damaged: " + e,
                    e);
        }
    }

    private static Replayed replayed(DecisionLine.Stamp stamp, PlannerCall recorded, PlannerCall again) {
        return new Replayed(
                stamp,
                recorded.decides(),
                recorded.policy(),
                again.policy(),
                CallText.known(recorded),
                CallText.answers(recorded),
                CallText.decided(recorded),
                CallText.decided(again),
                Difference.between(outcome(recorded), outcome(again)));
    }

    private RestartPolicyStrategy policy(String name) {
        return known.computeIfAbsent(
                name, unknown -> RestartPolicies.byNameOrClass("recorded policy", name, policyPath));
    }

    /** What the policy answered, and what the planner returned. */
    private static Map<String, Object> outcome(PlannerCall call) {
        Map<String, Object> outcome = new LinkedHashMap<>();
        outcome.put("plan", NestedFields.of(call.plan()));
        List<Object> advice = new ArrayList<>();
        call.advice().forEach(one -> advice.add(NestedFields.of(one)));
        outcome.put("advice", advice);
        return outcome;
    }
}
