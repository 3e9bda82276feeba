/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import dev.elasticrun.agent.config.StateLoss;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;

/**
 * What never changes about an agent while it runs.
 *
 * @param slots workers of this node that can have a rank at once
 * @param spares workers beyond those, which wait without a rank
 * @param role name of the workers' role
 */
public record AgentSettings(NodeIdentity node, int slots, int spares, String role, Restarts restarts, Times times) {

    /** Worker processes of this node, with and without a rank. */
    public int processes() {
        return slots + spares;
    }

    /**
     * How the run answers failures.
     *
     * @param workersOutliveRounds whether the policy is a soft one
     * @param failedWorker what the policy wants of the other workers of a node when one fails
     * @param budget restarts of the whole run
     * @param limits what ends the run before its budget is used
     * @param onStateLoss what happens when no worker has the state that the run had
     */
    public record Restarts(
            boolean workersOutliveRounds,
            FailedWorker failedWorker,
            RestartBudget budget,
            RetryLimits limits,
            StateLoss onStateLoss) {

        /** Whether a round can be without single workers of the node. */
        public boolean elasticWorkers() {
            return failedWorker == FailedWorker.LEAVES_ALONE;
        }
    }

    /**
     * How long workers may take.
     *
     * @param pause to acknowledge a PAUSE
     * @param ready to be ready for a round, under soft policies; zero = as long as they need
     * @param shutdown grace between TERM and KILL
     */
    public record Times(Duration pause, Duration ready, Duration shutdown) {}

    public String nodeId() {
        return node.nodeId();
    }

    /** Where peers reach this node. */
    public String address() {
        return node.address();
    }

    /** Whether the policy is a soft one. */
    public boolean workersOutliveRounds() {
        return restarts.workersOutliveRounds();
    }
}
