/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills processes that left the group of their worker and carry its {@link SpawnMark}. Runs on a thread of its own:
 * reading the environment of a process that hangs in the kernel can hang, too.
 */
final class EscapedProcesses {
    private static final Logger LOG = LoggerFactory.getLogger(EscapedProcesses.class);
    private static final long AGAIN_MILLIS = 5;
    private static final long CLOSE_SECONDS = 1;

    private final ScheduledThreadPoolExecutor executor;

    EscapedProcesses() {
        executor = new ScheduledThreadPoolExecutor(1, Daemons.named("process-strays"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Completes when no process has the mark, exceptionally when one outlives KILL for too long. */
    CompletableFuture<Void> end(SpawnMark mark, long waitNanos) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        try {
            executor.execute(() -> sweep(mark.assignment(), gone));
        } catch (RejectedExecutionException closed) {
            gone.complete(null);
        }
        if (!gone.isDone()) {
            ProcessTimer.schedule(
                    () -> gone.completeExceptionally(
                            new TimeoutException("processes that left the group outlive SIGKILL")),
                    waitNanos);
        }
        return gone;
    }

    /** Kills what is left of this agent's workers, and ends. */
    void close(String agentMark) {
        Future<List<Long>> last;
        try {
            last = executor.submit(() -> kill(SpawnMark.assignments(agentMark)));
            executor.shutdown();
        } catch (RejectedExecutionException closedBefore) {
            return;
        }
        try {
            last.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            LOG.warn(
                    "the search of /proc for processes that left their worker's group did not end within {} s;"
                            + " the guard repeats it",
                    CLOSE_SECONDS);
        } catch (ExecutionException e) {
            LOG.warn("cannot search /proc for processes that left their worker's group; the guard does", e);
        }
    }

    /** Ends where there never were workers: nothing is looked for. */
    void close() {
        executor.shutdown();
    }

    private void sweep(String assignment, CompletableFuture<Void> gone) {
        if (gone.isDone()) {
            return;
        }
        if (kill(assignment).isEmpty()) {
            gone.complete(null);
            return;
        }
        try {
            executor.schedule(() -> sweep(assignment, gone), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            gone.complete(null);
        }
    }

    private static List<Long> kill(String assignment) {
        List<Long> found;
        try {
            found = ProcessTable.withVariable(assignment);
        } catch (IOException e) {
            LOG.warn("cannot read /proc to see which processes left their group", e);
            return List.of();
        }
        found.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        if (!found.isEmpty()) {
            LOG.info("killed processes that had left their worker's group: {}", found);
        }
        return found;
    }
}
