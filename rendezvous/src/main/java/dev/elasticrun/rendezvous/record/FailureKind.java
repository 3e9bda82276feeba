/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Locale;

/**
 * In what way a worker failed. It is set where it is known, and no text is read for it. Names in lower case are those of
 * events, and stay.
 */
public enum FailureKind {
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
    NO_PROGRESS;

    private static final int FIRST_SIGNAL = 128;
    private static final int LAST_SIGNAL = 128 + 64;

    /** As far as the end of the process shows it. */
    public static FailureKind ofExit(int exitCode) {
        if (exitCode < 0) {
            return NOT_STARTED;
        }
        return exitCode > FIRST_SIGNAL && exitCode <= LAST_SIGNAL ? SIGNAL : EXIT_CODE;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
