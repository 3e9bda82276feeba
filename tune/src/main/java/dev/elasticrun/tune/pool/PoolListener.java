/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import dev.elasticrun.tune.store.TrialOrder;

/** Receives what an agent of a pool does, on its thread. Methods must not block. */
public interface PoolListener {
    PoolListener NONE = new PoolListener() {};

    /** The agent is in the pool. */
    default void registered(String agent) {}

    default void began(TrialOrder order) {}

    /** @param exitCode of the agent's part in the run */
    default void ended(TrialOrder order, int exitCode, String reason) {}

    /** An order in the store is not proved with the pool's key, and not carried out. */
    default void refused() {}

    /** A trial cannot be started here. */
    default void impossible(TrialOrder order, String why) {}
}
