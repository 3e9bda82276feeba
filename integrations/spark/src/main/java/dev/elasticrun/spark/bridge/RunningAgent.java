/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

import java.time.Duration;
import java.util.Optional;

/** An agent that runs. Safe for use by any thread. */
public interface RunningAgent {
    /** Leaves the run in good order: the others go on at once, then this node's workers are ended. Returns at once. */
    void drain();

    /**
     * Waits for the agent's end, when all that it started has ended, too.
     *
     * @return empty when it still runs after that time
     */
    Optional<AgentEnd> await(Duration atMost) throws InterruptedException;
}
