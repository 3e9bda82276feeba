/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import dev.elasticrun.agent.launch.LaunchConfig;

/** What other nodes of the run can have done while this node did not renew its lease. */
public enum LeaseDoubt {
    /** The store runs elsewhere: they may have continued without this node. */
    OTHERS_CONTINUE,
    /** The store stood still with this agent: they have paused, and none has continued. */
    OTHERS_PAUSE,
    /** The store is this agent's and the run has no other node: nothing depends on the lease. */
    NO_OTHERS;

    /** @param isServedHere whether the store lives and stops with this agent */
    public static LeaseDoubt of(LaunchConfig config, boolean isServedHere) {
        if (!isServedHere) {
            return OTHERS_CONTINUE;
        }
        return config.store().meetsNobody() && config.size().maxNodes() == 1 ? NO_OTHERS : OTHERS_PAUSE;
    }
}
