/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a failure or a change of nodes does, and how often.
 *
 * @param policy name of a {@link dev.elasticrun.rendezvous.restart.RestartPolicyStrategy}
 * @param givenPolicyPath see {@link #policyPath}
 * @param maxRestarts that the whole run may use
 * @param noRetryExitCodes of a worker, after which the run ends as failed, whatever budget is left
 * @param noProgressLimit incidents in a row without a new checkpoint that end the run; 0 = as many as the budget allows
 */
public record RestartOptions(
        String policy,
        @Nullable String givenPolicyPath,
        int maxRestarts,
        List<Integer> noRetryExitCodes,
        int noProgressLimit) {
    static final RestartOptions DEFAULT = new RestartOptions("hard", null, 3, List.of(), 0);

    public RestartOptions {
        Objects.requireNonNull(policy, "policy");
        noRetryExitCodes = List.copyOf(noRetryExitCodes);
    }

    /** Jars and directories with more policies, separated by ':'. */
    public Optional<String> policyPath() {
        return Optional.ofNullable(givenPolicyPath);
    }

    RestartOptions withPolicy(String value) {
        return new RestartOptions(value, givenPolicyPath, maxRestarts, noRetryExitCodes, noProgressLimit);
    }

    RestartOptions withPolicyPath(String value) {
        return new RestartOptions(policy, value, maxRestarts, noRetryExitCodes, noProgressLimit);
    }

    RestartOptions withMaxRestarts(int value) {
        return new RestartOptions(policy, givenPolicyPath, value, noRetryExitCodes, noProgressLimit);
    }

    RestartOptions withNoRetryExitCodes(List<Integer> value) {
        return new RestartOptions(policy, givenPolicyPath, maxRestarts, value, noProgressLimit);
    }

    RestartOptions withNoProgressLimit(int value) {
        return new RestartOptions(policy, givenPolicyPath, maxRestarts, noRetryExitCodes, value);
    }
}
