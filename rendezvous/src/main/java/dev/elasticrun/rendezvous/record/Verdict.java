/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.restart.Cause;
import java.util.List;

/**
 * The run's shared end.
 *
 * @param exitCode what every agent ends with; 0 exactly when succeeded
 * @param reason human-readable
 * @param failures root cause first; empty when succeeded
 * @param causes what the reason states, as far as it has a type
 */
public record Verdict(boolean succeeded, int exitCode, String reason, List<Failure> failures, List<Cause> causes) {

    public Verdict {
        failures = List.copyOf(failures);
        causes = List.copyOf(causes);
        if (succeeded != (exitCode == 0)) {
            throw new IllegalArgumentException("exitCode: " + exitCode + " (expected: 0 exactly when succeeded)");
        }
    }

    public Verdict(boolean succeeded, int exitCode, String reason, List<Failure> failures) {
        this(succeeded, exitCode, reason, failures, List.of());
    }

    /** For display: a run that an operator stopped has not failed. */
    public String word() {
        return succeeded ? "SUCCEEDED" : isStopped() ? "STOPPED" : "FAILED";
    }

    /** Whether an operator ended the run. */
    public boolean isStopped() {
        return causes.stream().anyMatch(Cause.StopCommanded.class::isInstance);
    }

    public static Verdict success(String reason) {
        return new Verdict(true, 0, reason, List.of());
    }
}
