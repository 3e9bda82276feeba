/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.process.UnkillableException;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.process.WorkerStopper;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.WorkerHandle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops workers and reports to the agent when they are gone, or which ones never end. Called by the agent's loop. */
final class WorkerStops {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerStops.class);

    private final WorkerStopper stopper = new WorkerStopper();
    private final Consumer<AgentEvent> post;

    WorkerStops(Consumer<AgentEvent> post) {
        this.post = post;
    }

    /**
     * Stops also workers that are still being started. The group is gone when the end of each of its workers was
     * reported.
     */
    void stop(int generation, List<WorkerHandle> workers, Duration grace) {
        List<CompletableFuture<WorkerProcess>> starts =
                workers.stream().map(WorkerHandle::process).toList();
        all(starts)
                .handle((ok, someDidNotStart) -> starts.stream()
                        .filter(start -> !start.isCompletedExceptionally())
                        .map(CompletableFuture::join)
                        .toList())
                .thenCompose(processes -> stopper.stopAll(processes, grace))
                .thenCompose(gone ->
                        all(workers.stream().map(WorkerHandle::endReported).toList()))
                .whenComplete((ok, failure) -> {
                    if (failure == null) {
                        post.accept(new AgentEvent.GroupGone(generation));
                    } else {
                        stuck(workers, failure);
                    }
                });
    }

    /** Kills the worker with all of its group; it ends as if it had done so by itself. */
    void kill(WorkerHandle worker) {
        worker.process()
                .thenCompose(process -> stopper.stopAll(List.of(process), Duration.ZERO))
                .whenComplete((ok, failure) -> {
                    if (failure != null && !worker.process().isCompletedExceptionally()) {
                        stuck(List.of(worker), failure);
                    }
                });
    }

    /** Ends every grace period. */
    void force() {
        stopper.force();
    }

    private void stuck(List<WorkerHandle> stopped, Throwable failure) {
        if (cause(failure) instanceof UnkillableException unkillable) {
            stuck(stopped, worker -> unkillable.pids().contains(worker.pid()), String.valueOf(unkillable.getMessage()));
        } else {
            // Without this event, the agent would wait for their end for ever.
            LOG.error("cannot stop workers", failure);
            stuck(stopped, worker -> true, "cannot stop workers: " + cause(failure));
        }
    }

    private void stuck(List<WorkerHandle> stopped, Predicate<WorkerHandle> which, String reason) {
        Map<Integer, Integer> attempts =
                stopped.stream().filter(which).collect(Collectors.toMap(WorkerHandle::slot, WorkerHandle::attempt));
        post.accept(new AgentEvent.WorkersStuck(attempts, reason));
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }

    /** What a future failed of. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
