/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a policy wants done, and why. No decision may charge more than the budget that is left. A policy that has no typed
 * {@link Cause} for what it decides gives its reason as text.
 */
public sealed interface RestartDecision {

    /** For display. */
    String reason();

    /** The same decision with more causes. */
    default RestartDecision because(List<Cause> more) {
        if (this instanceof Reform reform) {
            return reform.withCauses(joined(reform.causes, more));
        }
        return this instanceof RestartAll all ? new RestartAll(all.charge, joined(all.causes, more)) : this;
    }

    private static List<Cause> joined(List<Cause> causes, List<Cause> more) {
        return Stream.concat(causes.stream(), more.stream()).toList();
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
     * @param regrow failed members whose other workers, if there are any, continue in the new round, and which start fresh
     *     workers for the failed ones beside them: those are given ranks when they are ready; only for policies of
     *     elastic workers
     * @param shrink failed members whose other workers continue, without fresh ones for good; only for policies of
     *     elastic workers
     * @param leave members that leave the run
     * @param charge restarts that this costs
     * @param causes why, the first one first
     */
    record Reform(
            Set<String> restart,
            Set<String> replace,
            Set<String> regrow,
            Set<String> shrink,
            Set<String> leave,
            int charge,
            List<Cause> causes)
            implements RestartDecision {
        public Reform {
            restart = Set.copyOf(restart);
            replace = Set.copyOf(replace);
            regrow = Set.copyOf(regrow);
            shrink = Set.copyOf(shrink);
            leave = Set.copyOf(leave);
            causes = List.copyOf(causes);
        }

        /** Of whole nodes, or with fresh workers that the others wait for. */
        public Reform(Set<String> restart, Set<String> replace, Set<String> leave, int charge, List<Cause> causes) {
            this(restart, replace, Set.of(), Set.of(), leave, charge, causes);
        }

        /** With a reason in the policy's own words. */
        public Reform(Set<String> restart, Set<String> replace, Set<String> leave, int charge, String reason) {
            this(restart, replace, leave, charge, List.of(new Cause.Policy(reason)));
        }

        /** Without replacement of single workers. */
        public Reform(Set<String> restart, Set<String> leave, int charge, String reason) {
            this(restart, Set.of(), leave, charge, reason);
        }

        private Reform withCauses(List<Cause> all) {
            return new Reform(restart, replace, regrow, shrink, leave, charge, all);
        }

        /** Whether the other workers of that failed member continue in the new round. */
        public boolean continuesWithFewer(String nodeId) {
            return regrow.contains(nodeId) || shrink.contains(nodeId);
        }

        @Override
        public String reason() {
            return CauseText.of(causes);
        }
    }

    /**
     * All nodes stop all workers, then a new round starts all of them afresh.
     *
     * @param charge restarts that this costs, 0 or 1
     * @param causes why, the first one first
     */
    record RestartAll(int charge, List<Cause> causes) implements RestartDecision {
        public RestartAll {
            causes = List.copyOf(causes);
            if (charge < 0 || charge > 1) {
                throw new IllegalArgumentException("charge: " + charge + " (expected: 0 or 1)");
            }
        }

        /** With a reason in the policy's own words. */
        public RestartAll(int charge, String reason) {
            this(charge, List.of(new Cause.Policy(reason)));
        }

        @Override
        public String reason() {
            return CauseText.of(causes);
        }
    }

    /**
     * The run ends FAILED.
     *
     * @param causes why, the first one first
     */
    record Fail(List<Cause> causes, String reason) implements RestartDecision {
        public Fail {
            causes = List.copyOf(causes);
        }

        /** With a reason in the policy's own words. */
        public Fail(String reason) {
            this(List.of(new Cause.Policy(reason)), reason);
        }
    }
}
