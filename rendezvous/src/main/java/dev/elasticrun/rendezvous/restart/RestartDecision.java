/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Set;

/** What a policy wants done; the reason is shown to people. */
public sealed interface RestartDecision {

    String reason();

    /** The same decision with more of a reason. */
    default RestartDecision because(String detail) {
        if (this instanceof Reform reform) {
            return new Reform(reform.restart, reform.leave, reform.charge, reform.reason + detail);
        }
        return this instanceof RestartAll all ? new RestartAll(all.charge, all.reason + detail) : this;
    }

    /** The round stands. */
    record Keep(String reason) implements RestartDecision {}

    /**
     * A new round of the healthy members and the newcomers; no healthy worker is stopped.
     *
     * @param restart members that start fresh workers and join again as newcomers
     * @param leave members that leave the run
     * @param charge restarts that this costs
     */
    record Reform(Set<String> restart, Set<String> leave, int charge, String reason) implements RestartDecision {
        public Reform {
            restart = Set.copyOf(restart);
            leave = Set.copyOf(leave);
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
