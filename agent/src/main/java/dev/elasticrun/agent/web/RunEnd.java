/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.http.RootText;
import dev.elasticrun.agent.rules.AgentState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run, for the page. Pure.
 *
 * @param outcome succeeded, stopped, failed or left; empty = it continues
 * @param root cause of a failure, its message and its stack, a line each; empty = there is none
 */
record RunEnd(String outcome, String root) {
    private static final RunEnd NONE = new RunEnd("", "");

    /** @param verdict the run's end; null = the agent saw none */
    static RunEnd of(AgentState.@Nullable Ending ending, RunEvent.@Nullable RunEnded verdict) {
        if (ending == null) {
            return NONE;
        }
        String outcome = ending.exitCode() == 0
                ? "succeeded"
                : ending.stopped() ? "stopped" : ending.leaves() ? "left" : "failed";
        Optional<RunEvent.Root> root = Optional.ofNullable(verdict).flatMap(RunEvent.RunEnded::root);
        return new RunEnd(
                outcome, outcome.equals("failed") ? root.map(RootText::of).orElse("") : "");
    }
}
