/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Failure;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Round;
import java.util.List;

/** What a node tells others of a worker's failure. Pure. */
final class WorkerFailures {
    // Characters of a failure that travel to other nodes; the whole is in the log file.
    private static final int MAX_MESSAGE = 2000;
    private static final int MAX_STACK = 8000;
    private static final int MAX_LINE = 500;

    private final AgentSettings settings;

    WorkerFailures(AgentSettings settings) {
        this.settings = settings;
    }

    Failure of(
            AgentState state,
            int slot,
            int exitCode,
            String message,
            String stack,
            List<String> lastStderr,
            String logFile) {
        WorkerView worker = state.group().workers().get(slot);
        WorkerView.Words words = worker.words();
        boolean collateral = state.workingRound() > 0 && worker.lostPeerRound() == state.workingRound();
        return new Failure(
                settings.nodeId(),
                settings.hostLabel(),
                state.workingRound(),
                slot,
                state.group().generation(),
                rankOf(state, slot),
                worker.pid(),
                exitCode,
                shortened(words.message().isEmpty() ? message : words.message(), MAX_MESSAGE),
                shortened(words.stack().isEmpty() ? stack : words.stack(), MAX_STACK),
                lastStderr.stream().map(line -> shortened(line, MAX_LINE)).toList(),
                logFile,
                collateral);
    }

    /** Of a worker that ended with 0: whatever it reported before, no other failure is the cause. */
    Failure ofEarlyEnd(AgentState state, int slot, String message) {
        return new Failure(
                settings.nodeId(),
                settings.hostLabel(),
                state.workingRound(),
                slot,
                state.group().generation(),
                rankOf(state, slot),
                state.group().workers().get(slot).pid(),
                0,
                message,
                "",
                List.of(),
                "",
                false);
    }

    /** The same with another message. */
    static Failure saying(Failure failure, String message) {
        return failure.saying(shortened(message, MAX_MESSAGE));
    }

    /** Rank of the worker in the newest round; -1 = none. */
    int rankOf(AgentState state, int slot) {
        Round round = state.round();
        if (round == null) {
            return -1;
        }
        return round.participant(settings.nodeId())
                .filter(place -> place.generation() == state.group().generation())
                .map(Participant::firstRank)
                .map(first -> first + slot)
                .orElse(-1);
    }

    /** What of a text travels to other nodes in one line. */
    static String line(String text) {
        return shortened(text, MAX_LINE);
    }

    private static String shortened(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit) + " ...";
    }
}
