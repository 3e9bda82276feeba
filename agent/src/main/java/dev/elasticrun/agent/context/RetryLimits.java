/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import dev.elasticrun.agent.launch.RestartOptions;
import java.util.Set;

/**
 * What ends a run before its budget is used.
 *
 * @param exitCodes of a worker that is not to be started again
 * @param incidents how many in a row without a new checkpoint before them end the run; 0 = no limit
 */
public record RetryLimits(Set<Integer> exitCodes, int incidents) {
    public static final RetryLimits NONE = new RetryLimits(Set.of(), 0);

    public RetryLimits {
        exitCodes = Set.copyOf(exitCodes);
    }

    static RetryLimits of(RestartOptions restarts) {
        return new RetryLimits(Set.copyOf(restarts.noRetryExitCodes()), restarts.noProgressLimit());
    }
}
