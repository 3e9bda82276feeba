/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the policy, which may be a user's own, and takes no advice that rounds cannot follow. Pure, as far as the policy
 * is.
 */
public final class PolicyAdvice {
    private final RestartPolicyStrategy strategy;

    public PolicyAdvice(RestartPolicyStrategy strategy) {
        this.strategy = strategy;
    }

    /** The policy threw something, or decided what cannot be done: the run has to end. */
    static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnusableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** @throws UnusableException when there is no decision to follow */
    public RestartDecision decide(GroupView view) {
        RestartDecision decision;
        try {
            decision = strategy.decide(view);
        } catch (RuntimeException | LinkageError e) {
            throw new UnusableException("restart policy " + strategy.name() + " failed: " + e, e);
        }
        List<String> objections = objections(view, decision);
        if (!objections.isEmpty()) {
            throw new UnusableException(
                    "restart policy " + strategy.name() + " decided " + decision + ": " + String.join("; ", objections),
                    null);
        }
        return decision;
    }

    private List<String> objections(GroupView view, @Nullable RestartDecision decision) {
        List<String> objections = new ArrayList<>();
        if (decision instanceof RestartDecision.Reform reform) {
            object(objections, !strategy.workersOutliveRounds(), "workers that start with a round cannot live on");
            object(objections, !reform.replace().isEmpty() && !strategy.replacesWorkers(), "it replaces no workers");
            Set<String> fewer = new HashSet<>(reform.regrow());
            fewer.addAll(reform.shrink());
            object(objections, !fewer.isEmpty() && !strategy.elasticWorkers(), "its workers are not elastic");
            Set<String> members = new HashSet<>();
            view.members().forEach(member -> members.add(member.nodeId()));
            Set<String> named = new HashSet<>();
            for (Set<String> nodes :
                    List.of(reform.restart(), reform.replace(), reform.regrow(), reform.shrink(), reform.leave())) {
                for (String node : nodes) {
                    object(objections, !members.contains(node), node + " is no member of the round");
                    object(objections, !named.add(node), node + " is to do two things");
                }
            }
            Set<String> healthy = new HashSet<>(reform.replace());
            healthy.addAll(fewer);
            view.in(MemberState.FAILED).forEach(healthy::remove);
            object(objections, !healthy.isEmpty(), "no worker of " + String.join(", ", healthy) + " failed");
            for (GroupView.Member member : view.members()) {
                boolean isEmpty = reform.shrink().contains(member.nodeId()) && member.continuing() == 0;
                object(objections, isEmpty, "no worker of " + member.nodeId() + " can continue");
            }
            objectToCharge(objections, reform.charge(), view);
        } else if (decision instanceof RestartDecision.RestartAll all) {
            objectToCharge(objections, all.charge(), view);
        } else if (decision instanceof RestartDecision.Keep) {
            List<String> broken = new ArrayList<>(view.in(MemberState.FAILED));
            broken.addAll(view.in(MemberState.LOST));
            object(objections, !broken.isEmpty(), "the round cannot stand without " + String.join(", ", broken));
        }
        object(objections, decision == null, "that is no decision");
        return objections;
    }

    private static void objectToCharge(List<String> objections, int charge, GroupView view) {
        boolean possible = charge >= 0 && charge <= view.budgetLeft();
        object(objections, !possible, "charge: " + charge + " (expected: 0 to " + view.budgetLeft() + ")");
    }

    private static void object(List<String> objections, boolean wrong, String objection) {
        if (wrong) {
            objections.add(objection);
        }
    }
}
