/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.util.Collection;
import java.util.Set;

/**
 * Failures of workers before they worked, in a row.
 *
 * @param own of the program, as far as is known
 * @param outside ended by a SIGKILL or SIGTERM that the agent did not send: they delay the next start, and show nothing of
 *     the program
 */
public record StartFailures(int own, int outside) {
    static final StartFailures NONE = new StartFailures(0, 0);

    private static final Set<Integer> FROM_OUTSIDE = Set.of(128 + 9, 128 + 15);

    public int total() {
        return own + outside;
    }

    /** One more, in which these workers failed at once. */
    StartFailures and(Collection<Failure> failures) {
        return !failures.isEmpty() && failures.stream().allMatch(StartFailures::isFromOutside)
                ? new StartFailures(own, outside + 1)
                : new StartFailures(own + 1, outside);
    }

    private static boolean isFromOutside(Failure failure) {
        return failure.kind() == FailureKind.SIGNAL && FROM_OUTSIDE.contains(failure.exitCode());
    }
}
