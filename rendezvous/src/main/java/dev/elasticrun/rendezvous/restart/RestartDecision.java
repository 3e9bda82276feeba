/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Set;

/** What a policy wants done; the reason is shown to people. No decision may charge more than the budget that is left. */
public sealed interface RestartDecision {

    String reason();

    /** The same decision with more of a reason. */
    default RestartDecision because(String detail) {
        if (this instanceof Reform reform) {
            return new Reform(reform.restart, reform.replace, reform.leave, reform.charge, reform.reason + detail);
        }
        return this instanceof RestartAll all ? new RestartAll(all.charge, all.reason + detail) : this;
    }

    /** The round stands. Not for a round with members that failed or were lost. */
    record Keep(String reason) implements RestartDecision {}

    /**
     * A new round of the healthy members and the newcomers; no healthy worker is stopped, unless its node is named here.
     * A failed member that no set names starts fresh workers and joins again as a newcomer. Only for policies whose
     * workers outlive rounds. Each set names members of the round, and no member is in two of them.
     *
     * @param restart members that stop their workers, start fresh ones and join again as newcomers
     * @param replace failed members that start fresh workers for the failed ones only and keep their place and ranks: the
     *     others pause until they are ready; only for policies that replace workers
     * @param leave members that leave the run
     * @param charge restarts that this costs
     */
    record Reform(Set<String> restart, Set<String> replace, Set<String> leave, int charge, String reason)
            implements RestartDecision {
        public Reform {
            restart = Set.copyOf(restart);
            replace = Set.copyOf(replace);
            leave = Set.copyOf(leave);
        }

        /** Without replacement of single workers. */
        public Reform(Set<String> restart, Set<String> leave, int charge, String reason) {
            this(restart, Set.of(), leave, charge, reason);
        }
    }

    /**
     * All nodes stop all workers, then a new round starts all of them afresh.
     *
     * @param charge restarts that this costs, 0 or 1
     */
    record RestartAll(int charge, String reason) implements RestartDecision {
        public RestartAll {
            if (charge < 0 || charge > 1) {
                throw new IllegalArgumentException("charge: " + charge + " (expected: 0 or 1)");
            }
        }
    }

    /** The run ends FAILED. */
    record Fail(String reason) implements RestartDecision {}
}
