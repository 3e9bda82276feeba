/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.trail.Sighting;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended, for the page. Pure.
 *
 * @param outcome succeeded, stopped, failed or left; empty = it goes on
 * @param root cause of a failure, its message and its stack, a line each; empty = there is none
 */
record RunEnd(String outcome, String root) {
    private static final RunEnd NONE = new RunEnd("", "");

    /** @param verdict the event of the run's end; null = the agent saw none */
    static RunEnd of(AgentState.@Nullable Ending ending, @Nullable Sighting verdict) {
        if (ending == null) {
            return NONE;
        }
        String outcome = ending.exitCode() == 0
                ? "succeeded"
                : ending.stopped() ? "stopped" : ending.leaves() ? "left" : "failed";
        return new RunEnd(outcome, verdict == null || !outcome.equals("failed") ? "" : root(verdict));
    }

    private static String root(Sighting verdict) {
        if (verdict.text("root_node").isEmpty()) {
            return "";
        }
        long rank = verdict.number("root_rank").orElse(-1);
        String worker = (rank < 0 ? "Local rank " + verdict.text("root_slot") : "Rank " + rank) + " on node "
                + verdict.text("root_node") + ", attempt " + verdict.text("root_attempt");
        return (worker + "\n" + verdict.text("root_message") + "\n" + verdict.text("root_stack")).strip();
    }
}
