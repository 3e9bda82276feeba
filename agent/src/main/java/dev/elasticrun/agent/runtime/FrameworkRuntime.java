/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

import java.io.IOException;
import java.util.Set;

/**
 * What is prepared for a framework around each round, on one node: values that its workers need to find each other, and
 * servers that they meet at. All agents of a run have the same runtime. Called by the agent's loop only, which keeps the
 * node's lease: no method may block for longer than a few milliseconds. An exception costs this node's workers the round,
 * with its text as the reason: they fail as if they had ended, within the limits that there are for that.
 */
public interface FrameworkRuntime extends AutoCloseable {

    /**
     * Variables that only the runtime may set for workers. A user who sets one of them, for workers or for the agent, gets
     * an error before anything starts.
     */
    Set<String> reservedNames();

    /**
     * Whether a round's master endpoint is served by the agent of rank 0, by this runtime. If so, the port listens from
     * its reservation on: workers of other nodes that are early wait in its queue, and {@link RuntimeRound#door} is the
     * channel. If not, the port is reserved but does not listen, for rank 0 to bind.
     */
    default boolean servesMasterEndpoint() {
        return false;
    }

    /**
     * Whether nothing holds a round's master endpoint when rank 0 is told of it, for programs that do not bind with
     * SO_REUSEADDR. Another process can take the port until rank 0 has it; the worker then fails.
     */
    default boolean freesMasterEndpoint() {
        return false;
    }

    /**
     * Prepares a round for the workers of this node, before they are told of it. Called once per round that this node
     * works in; the round before was closed by then.
     *
     * @throws IOException when it cannot be prepared; says why, and names the port if it is one. Where the runtime serves
     *     the master endpoint and rank 0 is elsewhere, it is called once more, with another {@link RuntimeRound#door}
     */
    PreparedRound open(RuntimeRound round) throws IOException;

    /** The agent ends; every round is closed. Called by another thread than the loop, which has ended. */
    @Override
    default void close() {}
}
