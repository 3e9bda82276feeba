/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.util.Set;

/**
 * For programs whose rank 0 starts a tracker: it does so at the master endpoint. XGBoost's own binds without SO_REUSEADDR,
 * so the port cannot be held until then.
 */
final class OwnTrackerRuntime implements FrameworkRuntime {
    @Override
    public Set<String> reservedNames() {
        return TrackerValues.NAMES;
    }

    @Override
    public boolean freesMasterEndpoint() {
        return true;
    }

    @Override
    public PreparedRound open(RuntimeRound round) {
        return rank -> TrackerValues.of(round.masterAddress(), round.masterPort(), rank, round.worldSize());
    }
}
