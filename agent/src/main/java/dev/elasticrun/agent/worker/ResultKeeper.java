/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.rendezvous.record.HandedResult;
import java.util.concurrent.CompletableFuture;

/** Stores what workers hand over. */
@FunctionalInterface
public interface ResultKeeper {
    /** Stores nothing. */
    ResultKeeper NONE = (slot, result) -> CompletableFuture.completedFuture(null);

    /**
     * Stores the result of a worker that ended with 0, whose end is not reported before. Any thread; must not block.
     *
     * @return completes normally in any case, when it is stored or cannot be, and not in the agent's loop
     */
    CompletableFuture<Void> keep(int slot, HandedResult result);
}
