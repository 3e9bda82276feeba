/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.time.Duration;
import java.util.Map;

/**
 * Specifies how long a worker waits for its peers, as its agent sets in the environment.
 *
 * @param peer how long a peer may be silent whose process does not answer either when it is called
 * @param operation how long a peer may be silent at all, whatever its process answers; zero = for ever
 */
public record WaitLimits(Duration peer, Duration operation) {
    /** The limits if the environment sets none. */
    public static final WaitLimits STANDARD = new WaitLimits(Duration.ofSeconds(30), Duration.ofMinutes(30));

    public WaitLimits {
        if (peer.toMillis() < 1) {
            throw new IllegalArgumentException("peer: " + peer + " (expected: 1 ms or more)");
        }
        if (operation.isNegative()) {
            throw new IllegalArgumentException("operation: " + operation + " (expected: 0 or more)");
        }
    }

    /** Throws IllegalArgumentException that names the variable. */
    public static WaitLimits of(Map<String, String> environment) {
        return new WaitLimits(
                millis(environment, WorkerEnv.PEER_TIMEOUT_MS, STANDARD.peer(), 1),
                millis(environment, WorkerEnv.OPERATION_TIMEOUT_MS, STANDARD.operation(), 0));
    }

    private static Duration millis(Map<String, String> environment, String name, Duration absent, long least) {
        return Duration.ofMillis(WorkerEnv.number(environment, name, absent.toMillis(), least));
    }
}
