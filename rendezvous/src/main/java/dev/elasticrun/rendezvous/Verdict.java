/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.List;

/**
 * The run's shared end.
 *
 * @param exitCode what every agent ends with; 0 exactly when succeeded
 * @param reason in words
 * @param failures root cause first; empty when succeeded
 */
public record Verdict(boolean succeeded, int exitCode, String reason, List<Failure> failures) {

    /** How the reason of a run begins that a person ended; what follows says who did. */
    public static final String STOPPED = "stopped by command";

    public Verdict {
        failures = List.copyOf(failures);
        if (succeeded != (exitCode == 0)) {
            throw new IllegalArgumentException("exitCode: " + exitCode + " (expected: 0 exactly when succeeded)");
        }
    }

    /** For people: a run that somebody stopped has not failed. */
    String word() {
        return succeeded ? "SUCCEEDED" : reason.startsWith(STOPPED) ? "STOPPED" : "FAILED";
    }

    static Verdict success(String reason) {
        return new Verdict(true, 0, reason, List.of());
    }
}
