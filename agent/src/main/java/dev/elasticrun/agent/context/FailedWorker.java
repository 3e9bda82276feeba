/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;

/** What the failure of one worker means for the others of its node. */
public enum FailedWorker {
    /** All workers of the node stop. */
    STOPS_THE_NODE,
    /** The others pause until a fresh worker has taken its place. */
    IS_REPLACED,
    /** The others continue without it; a fresh worker is started beside them. */
    LEAVES_ALONE;

    public static FailedWorker under(RestartPolicyStrategy strategy) {
        if (strategy.elasticWorkers()) {
            return LEAVES_ALONE;
        }
        return strategy.replacesWorkers() ? IS_REPLACED : STOPS_THE_NODE;
    }
}
