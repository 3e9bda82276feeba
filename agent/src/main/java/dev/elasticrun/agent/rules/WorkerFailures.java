/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.Round;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Decides what a node reports about a worker's failure. Pure. */
final class WorkerFailures {
    // Characters of a failure that travel to other nodes; the whole is in the log file.
    private static final int MAX_MESSAGE = 2000;
    private static final int MAX_STACK = 8000;
    private static final int MAX_LINE = 500;

    private final AgentSettings settings;

    WorkerFailures(AgentSettings settings) {
        this.settings = settings;
    }

    /** The failure of a worker that ended, or that its agent gives up, with what was reported before. */
    Failure of(AgentState state, int slot, int exitCode, Failure.Evidence end) {
        WorkerView worker = state.group().workers().get(slot);
        boolean collateral = state.workingRound() > 0 && worker.lostPeerRound() == state.workingRound();
        return new Failure(
                worker(state, slot),
                state.workingRound(),
                exitCode,
                shortened(evidence(worker.reported(), end)),
                collateral,
                0);
    }

    /**
     * Of a worker that ended with 0, whatever it reported before.
     *
     * @param isConsequence whether another failure is the cause
     */
    Failure ofEarlyEnd(AgentState state, int slot, String message, boolean isConsequence) {
        return new Failure(
                worker(state, slot),
                state.workingRound(),
                0,
                Failure.Evidence.of(FailureKind.ENDED_EARLY, message),
                isConsequence,
                0);
    }

    private Failure.Worker worker(AgentState state, int slot) {
        return new Failure.Worker(
                settings.nodeId(),
                settings.node().hostLabel(),
                slot,
                state.group().attempt(slot),
                rankOf(state, slot),
                state.group().workers().get(slot).pid());
    }

    // What the worker reported, or its agent found, before the end is more specific than its end.
    private static Failure.Evidence evidence(Failure.@Nullable Evidence reported, Failure.Evidence end) {
        if (reported == null) {
            return withKind(end, end.message(), end.stack());
        } else if (reported.kind() != FailureKind.EXCEPTION) {
            return new Failure.Evidence(
                    reported.kind(),
                    reported.message(),
                    reported.stack(),
                    end.lastStderr(),
                    end.logFile(),
                    reported.savedFile());
        }
        String message = reported.message().isEmpty() || end.kind() == FailureKind.OUT_OF_MEMORY
                ? end.message()
                : reported.message();
        return withKind(end, message, reported.stack().isEmpty() ? end.stack() : reported.stack());
    }

    // A process that reports why it ends ends by an exception, whatever its exit code.
    private static Failure.Evidence withKind(Failure.Evidence end, String message, String stack) {
        boolean isPlainEnd = end.kind() == FailureKind.EXIT_CODE || end.kind() == FailureKind.SIGNAL;
        FailureKind kind = isPlainEnd && !stack.isEmpty() ? FailureKind.EXCEPTION : end.kind();
        return new Failure.Evidence(kind, message, stack, end.lastStderr(), end.logFile(), end.savedFile());
    }

    /** The same with another message. */
    static Failure withMessage(Failure failure, String message) {
        return failure.withMessage(shortened(message, MAX_MESSAGE));
    }

    /** Rank of the worker in the newest round; -1 = none. */
    int rankOf(AgentState state, int slot) {
        Round round = state.round();
        if (round == null) {
            return -1;
        }
        return round.participant(settings.nodeId())
                .map(place -> place.rankOf(slot, state.group().attempt(slot)))
                .orElse(OptionalInt.empty())
                .orElse(-1);
    }

    static RunEvent event(Failure failure) {
        String saved = failure.savedFile();
        return new RunEvent.WorkerFailed(
                new RunEvent.Worker(failure.slot(), failure.attempt()),
                failure.rank(),
                new RunEvent.WorkerEnd(failure.pid(), failure.exitCode()),
                new RunEvent.Found(
                        failure.kind(), failure.message(), Optional.of(saved).filter(path -> !path.isEmpty())),
                failure.collateral(),
                failure.heldMillis());
    }

    /** The part of a text that a node publishes to other nodes in one line. */
    static String line(String text) {
        return shortened(text, MAX_LINE);
    }

    private static Failure.Evidence shortened(Failure.Evidence whole) {
        return new Failure.Evidence(
                whole.kind(),
                shortened(whole.message(), MAX_MESSAGE),
                shortened(whole.stack(), MAX_STACK),
                whole.lastStderr().stream().map(WorkerFailures::line).toList(),
                whole.logFile(),
                whole.savedFile());
    }

    private static String shortened(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit) + " ...";
    }
}
