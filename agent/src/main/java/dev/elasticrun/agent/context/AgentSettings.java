/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import dev.elasticrun.agent.config.StateLoss;
import java.time.Duration;

/**
 * What never changes about an agent while it runs.
 *
 * @param workersOutliveRounds whether the policy is a soft one
 * @param replacesWorkers whether the policy may replace single workers, so that the others of a node run on when one fails
 * @param pauseTimeout how long a worker may take to acknowledge a PAUSE
 * @param readyTimeout how long a worker may take to be ready for a round, under soft policies; zero = as long as it needs
 * @param shutdownTimeout grace between TERM and KILL
 * @param retries what ends the run before its budget is used
 * @param onStateLoss what happens when no worker has the state that the run had
 */
public record AgentSettings(
        String nodeId,
        String hostLabel,
        String address,
        int slots,
        String role,
        int maxRestarts,
        boolean workersOutliveRounds,
        boolean replacesWorkers,
        Duration pauseTimeout,
        Duration readyTimeout,
        Duration shutdownTimeout,
        RetryLimits retries,
        StateLoss onStateLoss) {}
