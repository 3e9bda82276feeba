/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.terms.RestartBudget;

/**
 * Which run an agent has joined.
 *
 * @param incarnation random id of this start of the run
 * @param restarts the run's budget
 * @param runKey the run's secret
 */
public record RunIdentity(String runId, String incarnation, RestartBudget restarts, byte[] runKey) {

    /** With restarts for the whole run. */
    public RunIdentity(String runId, String incarnation, int maxRestarts, byte[] runKey) {
        this(runId, incarnation, RestartBudget.of(maxRestarts), runKey);
    }

    public int maxRestarts() {
        return restarts.max();
    }
}
