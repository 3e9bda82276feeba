/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Optional;

/**
 * Answers failures and changes of membership. Found by {@link java.util.ServiceLoader} and chosen by name.
 *
 * <p>Implementations are stateless and pure: no clock, no randomness, no I/O; they need a public constructor
 * without parameters. {@link #decide} is called in the
 * coordinator's event loop, on every change; the same view must give the same decision, since another agent may take
 * over at any moment. An exception from it ends the run FAILED, with its text as the reason.
 */
public interface RestartPolicyStrategy {

    /** The name that {@code --restart-policy} chooses it by; without a colon. */
    String name();

    /**
     * The policy that {@code --restart-policy NAME:OPTION} chooses. It has the same name, and is as stateless as this one: the
     * option is all that differs. The option is part of what all nodes of a run have in common. Not called where no option
     * is given.
     *
     * @param option what follows the first colon; never empty
     * @throws IllegalArgumentException for an option that the policy does not take, or whose value is wrong; the message states
     *     what is expected, as in {@code first=N with N from 0}. The launch is then refused
     */
    default RestartPolicyStrategy withOption(String option) {
        throw new IllegalArgumentException(name() + " without an option");
    }

    /**
     * Whether workers start beside the rendezvous and live through rounds (soft), or are started for each round with
     * their rank in the environment (hard).
     */
    boolean workersOutliveRounds();

    /**
     * Whether decisions may replace single workers. If so, the other workers of a node run on when one of them fails,
     * until the decision is there; else the agent stops them at once.
     */
    default boolean replacesWorkers() {
        return false;
    }

    /**
     * Whether a round can be without single workers of its nodes. If so, the other workers of a node run on when one of
     * them fails, the next round has a rank less, and a fresh worker is given one when it is ready.
     */
    default boolean elasticWorkers() {
        return false;
    }

    /**
     * Whether the others wait, paused, for a fresh worker of each that failed, if no other one of its node is ready to take
     * its rank. Only for policies of elastic workers.
     */
    default boolean waitsForWorkers() {
        return false;
    }

    /**
     * The policy where nodes have spare workers, which take the ranks of those that fail; empty if it has no use for them. If
     * it is another one, it has a name of its own, so that a run has nodes with spares only, or none, and the option of this
     * one.
     */
    default Optional<RestartPolicyStrategy> withSpares() {
        return elasticWorkers() ? Optional.of(this) : Optional.empty();
    }

    /**
     * What to do; called also when nothing is wrong. A decision that the view does not allow ends the run, too: see
     * {@link RestartDecision}.
     */
    RestartDecision decide(GroupView view);
}
