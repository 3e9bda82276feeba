/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

import java.util.Map;

/** What a {@link FrameworkRuntime} has for one round on one node. Called by the agent's loop. */
public interface PreparedRound extends AutoCloseable {

    /** Nothing at all. */
    PreparedRound EMPTY = rank -> Map.of();

    /**
     * The values that a worker receives, by name: as {@code WorkerInfo.runtime()}, and under {@code hard} also as
     * variables of its environment.
     *
     * @param rank of a worker of this node
     */
    Map<String, String> values(int rank);

    /**
     * The round is over for this node: a newer one is known, it was suspended, so that the next one is a newer one, or the
     * agent ends. Workers that still wait for each other in the round should be freed now. Not called where a node pauses
     * its workers and may resume them in the same round, as while its lease is in doubt. Must not block; an exception is
     * logged.
     */
    @Override
    default void close() {}
}
