/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.plan.PlannerCall;

/** Keeps what a coordinator decided, and from what, so that it can be decided again later. */
@FunctionalInterface
public interface DecisionRecorder {
    /** Keeps nothing. */
    DecisionRecorder NONE = (call, incident) -> {};

    /**
     * Called in the loop before the decision is written to the store, first with the waits that led to it; must return at
     * once.
     *
     * @param call immutable; may contain what workers wrote
     * @param incident that the decision answers, from 1
     */
    void record(PlannerCall call, long incident);
}
