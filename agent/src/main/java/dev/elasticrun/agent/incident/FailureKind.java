/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.rendezvous.Failure;
import java.util.Locale;

/** In what way a worker failed. Names in lower case are those of events, and stay. */
public enum FailureKind {
    EXCEPTION,
    EXIT_CODE,
    SIGNAL,
    OUT_OF_MEMORY,
    HANG,
    /** It did not acknowledge PAUSE, or did not get ready for a round. */
    NO_ANSWER,
    NOT_STARTED,
    /** It ended the run itself. */
    STOPPED_THE_RUN;

    /** By KILL, as its agent ends one that hangs, and the kernel one for which there is no memory: words may be its own. */
    private static final int KILLED = 128 + 9;

    private static final int FIRST_SIGNAL = 128;
    private static final int LAST_SIGNAL = 128 + 64;

    public static FailureKind of(Failure failure) {
        String message = failure.message();
        if (failure.exitCode() < 0) {
            boolean isSilent =
                    message.startsWith("no acknowledgement of PAUSE") || message.startsWith("not ready for a round");
            return failure.pid() <= 0 ? NOT_STARTED : isSilent ? NO_ANSWER : STOPPED_THE_RUN;
        } else if (failure.exitCode() == KILLED && message.startsWith("hang: ")) {
            return HANG;
        } else if (failure.exitCode() == KILLED && message.contains("out of memory: the kernel killed ")) {
            return OUT_OF_MEMORY;
        } else if (!failure.stack().isEmpty()) {
            return EXCEPTION;
        }
        return failure.exitCode() > FIRST_SIGNAL && failure.exitCode() <= LAST_SIGNAL ? SIGNAL : EXIT_CODE;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
