/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Why one worker failed, as its agent reported it.
 *
 * @param localRank of the worker on its node
 * @param rank in the round; -1 = none
 * @param kind the cause in a word
 * @param exitCode 0 to 255, 128+n for signal n; -1 = its process never started, or has not ended
 * @param message the first cause, in the worker's words or the agent's; for display, and not stable
 * @param collateral a consequence of another failure, not a cause
 */
public record WorkerFailure(int localRank, int rank, Kind kind, int exitCode, String message, boolean collateral) {
    private static final int FIRST_SIGNAL = 128;
    private static final int LAST_SIGNAL = 128 + 64;

    public WorkerFailure {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(message, "message");
    }

    /** In what way a worker failed. Later versions may have more. */
    public enum Kind {
        /** It reported an exception with its stack trace. */
        EXCEPTION,
        EXIT_CODE,
        SIGNAL,
        /** The kernel killed it for lack of memory. */
        OUT_OF_MEMORY,
        /** It made no progress, and its agent killed it. */
        HANG,
        /** It did not come out of a round that was over, and its agent killed it. */
        STRAGGLER,
        /** Its agent could not hand it an event, and killed it. */
        UNREACHABLE,
        /** It did not acknowledge PAUSE, or did not get ready for a round. */
        NO_ANSWER,
        NOT_STARTED,
        /** Its process did not end when it was killed. */
        STUCK,
        /** It ended with exit code 0 while its peers still worked with it. */
        ENDED_EARLY,
        /** It ended the run itself. */
        STOPPED_THE_RUN,
        /** It found that the state of the run was lost, and the run was to end then. */
        STATE_LOST,
        /** No worker failed: the run only went from incident to incident. */
        NO_PROGRESS
    }

    /** The signal that ended its process, whoever sent it; empty = none did. */
    public OptionalInt signal() {
        return exitCode > FIRST_SIGNAL && exitCode <= LAST_SIGNAL
                ? OptionalInt.of(exitCode - FIRST_SIGNAL)
                : OptionalInt.empty();
    }

    /** The kind and how the process ended, for display. */
    public String text() {
        String word = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return switch (kind) {
            case SIGNAL, EXIT_CODE -> end();
            default -> exitCode < 0 ? word : word + ", " + end();
        };
    }

    private String end() {
        return signal().isPresent() ? "signal " + signal().getAsInt() : "exit code " + exitCode;
    }
}
