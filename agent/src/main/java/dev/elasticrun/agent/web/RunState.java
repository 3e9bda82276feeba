/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run as one agent sees it, as a name and as a sentence. Pure.
 *
 * @param name starting, working, recovering, waiting or ending
 */
record RunState(String name, String words) {

    /**
     * @param agent null before its first event
     * @param round the newest; number 0 before the first
     * @param rounds that the agent saw
     * @param waitingFor what the coordinator reports; empty = it reports nothing
     */
    static RunState of(
            @Nullable AgentState agent, Round round, List<RoundSpan> rounds, String waitingFor, LaunchConfig config) {
        AgentState.Ending ending = agent == null ? null : agent.ending();
        if (ending != null) {
            String what = ending.exitCode() == 0
                    ? "The run has succeeded: "
                    : ending.stopped()
                            ? "The run was "
                            : ending.leaves() ? "The agent that answers leaves: " : "The run has failed: ";
            return new RunState("ending", what + ending.reason() + ".");
        }
        String waits = waitingFor.isEmpty() ? "" : " The coordinator: " + waitingFor + ".";
        if (round.number() == 0) {
            return new RunState(
                    "starting",
                    "Waiting for the first round, of at least "
                            + count(config.size().minNodes(), "node") + "." + waits);
        }
        if (round.suspended()) {
            return new RunState("waiting", "All workers are paused: " + round.cause() + "." + waits);
        }
        String size = count(round.worldSize(), "worker") + " on "
                + count(round.participants().size(), "node") + ", round " + round.number();
        RoundSpan newest = rounds.isEmpty() ? null : rounds.get(rounds.size() - 1);
        if (newest == null
                || newest.number() != round.number()
                || newest.times().broken() != null) {
            return new RunState(
                    "recovering",
                    "Round " + round.number() + " was interrupted: its workers go on in it, or in the next one.");
        }
        boolean reportsWork = rounds.stream().anyMatch(seen -> seen.times().resumed() != null);
        boolean member = newest.times().published() != null;
        if (member && newest.times().resumed() == null && (reportsWork || newest.joined())) {
            String words = newest.joined() ? "Workers begin: " : "Workers get ready to go on: ";
            return new RunState(newest.joined() ? "starting" : "recovering", words + size + ".");
        }
        return new RunState("working", "Working: " + size + ".");
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
