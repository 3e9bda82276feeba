/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How a process ended. */
final class ProcessExit {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private ProcessExit() {}

    /**
     * Completes with the exit code when the process has ended. The JDK completes its own future on a thread that it may
     * have to make then, and with an error if it cannot: the process is polled in that case.
     */
    static CompletableFuture<Integer> of(Process process) {
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        try {
            process.onExit().whenComplete((ended, noThread) -> {
                if (noThread == null) {
                    exit.complete(ended.exitValue());
                } else {
                    ProcessTimer.schedule(() -> poll(process, exit), POLL_NANOS);
                }
            });
        } catch (OutOfMemoryError noThread) {
            // It has ended already, and the JDK makes the thread at once.
            ProcessTimer.schedule(() -> poll(process, exit), POLL_NANOS);
        }
        return exit;
    }

    private static void poll(Process process, CompletableFuture<Integer> exit) {
        if (process.isAlive()) {
            ProcessTimer.schedule(() -> poll(process, exit), POLL_NANOS);
        } else {
            exit.complete(process.exitValue());
        }
    }
}
