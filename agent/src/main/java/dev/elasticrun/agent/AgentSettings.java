/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.time.Duration;

/**
 * What never changes about an agent while it runs.
 *
 * @param workersOutliveRounds whether the policy is a soft one
 * @param pauseTimeout how long a worker may take to acknowledge a PAUSE
 * @param shutdownTimeout grace between TERM and KILL
 */
record AgentSettings(
        String nodeId,
        String hostLabel,
        String address,
        int slots,
        String role,
        int maxRestarts,
        boolean workersOutliveRounds,
        Duration pauseTimeout,
        Duration shutdownTimeout) {}
