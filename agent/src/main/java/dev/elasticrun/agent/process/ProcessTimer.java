/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.Daemons;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Timers of what ends processes, on a thread that exists before it is needed: when a limit of processes or threads is
 * reached, which is a reason to end processes, none can be made. One for the JVM. Tasks must not block.
 */
final class ProcessTimer {
    private static final ScheduledThreadPoolExecutor EXECUTOR = started();

    private ProcessTimer() {}

    private static ScheduledThreadPoolExecutor started() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Daemons.named("process-timer"));
        executor.setRemoveOnCancelPolicy(true);
        executor.prestartAllCoreThreads();
        return executor;
    }

    /** Makes the thread, unless it exists. */
    static void prepare() {
        EXECUTOR.getPoolSize();
    }

    static void schedule(Runnable task, long delayNanos) {
        // The future is not read.
        EXECUTOR.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    }
}
