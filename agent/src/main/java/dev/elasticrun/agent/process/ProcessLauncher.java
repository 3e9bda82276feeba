/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.concurrent.CompletableFuture;

/** Starts workers: the seam between the agent's decisions and real processes. Called by the agent's loop. */
public interface ProcessLauncher extends AutoCloseable {

    /**
     * Starts a worker; never blocks the caller and keeps the order of calls. Completes exceptionally with an {@link
     * java.io.IOException} that states what is wrong when no process was started: the program is missing, for example.
     */
    CompletableFuture<WorkerProcess> start(WorkerCommand command);

    /** Whether processes can work for one run after the other: commands name their {@link ReusableProgram} then. */
    default boolean reuses() {
        return false;
    }

    /** Kills the groups that are left. Nothing can be started any more. */
    @Override
    void close();
}
