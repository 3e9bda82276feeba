/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Prepares a framework for each round on one node: values that its workers need to find each other, and servers to
 * which they connect. All agents of a run have the same runtime. Called by the agent's loop only, which keeps the
 * node's lease: no method may block for longer than a few milliseconds. An exception costs this node's workers the
 * round, with its text as the reason: they fail as if they had ended, within the usual limits.
 */
public interface FrameworkRuntime extends AutoCloseable {

    /**
     * Variables that only the runtime may set for workers. Setting one of them for workers ({@code --env}) is an error
     * before anything starts. Workers do not inherit one that the agent has: an engine may set it for each node.
     */
    Set<String> reservedNames();

    /** Libraries without which workers of the framework do not start. For diagnosis before a run. */
    default List<NativeLibrary> nativeLibraries() {
        return List.of();
    }

    /**
     * Whether a round's master endpoint is served by the agent of rank 0, by this runtime. If so, the port listens from
     * its reservation on: workers of other nodes that are early wait in its queue, and {@link RuntimeRound#door} is the
     * channel. If not, the port is reserved but does not listen, for rank 0 to bind.
     */
    default boolean servesMasterEndpoint() {
        return false;
    }

    /**
     * Whether nothing holds a round's master endpoint when rank 0 receives it, for programs that do not bind with
     * SO_REUSEADDR. Another process can take the port until rank 0 has it; the worker then fails.
     */
    default boolean freesMasterEndpoint() {
        return false;
    }

    /**
     * Prepares a round for the workers of this node, before they receive it. Called once per round that this node works
     * in; the round before was closed by then.
     *
     * @throws IOException when it cannot be prepared; the message states why, and names the port if that is the cause.
     *     Where the runtime serves the master endpoint and rank 0 is elsewhere, it is called once more, with another
     *     {@link RuntimeRound#door}
     */
    PreparedRound open(RuntimeRound round) throws IOException;

    /** The agent ends; every round is closed. Called by another thread than the loop, which has ended. */
    @Override
    default void close() {}
}
