/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.Round;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of an agent, for metrics and the page. Must not block; called by any thread. */
interface AgentObserver {
    /** Nobody looks. */
    AgentObserver NONE = new AgentObserver() {};

    /**
     * An event of the event log.
     *
     * @param round the newest that the agent knew
     */
    default void onEvent(RunEvent event, @Nullable Round round) {}

    /** A newer round, or the newest with a change. */
    default void onRound(Round round) {}

    /** The agent's state, after each event. */
    default void onState(AgentState state) {}

    /** Something was posted to the loop, and is not answered yet. */
    default void onPosted(AgentEvent event) {}

    /** The node's lease may be trusted until then, on {@link System#nanoTime()}. */
    default void onLeaseDeadline(long deadlineNanos) {}
}
