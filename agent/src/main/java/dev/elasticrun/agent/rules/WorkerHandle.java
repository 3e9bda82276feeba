/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.channel.FileChannelWriter;
import dev.elasticrun.agent.process.WorkerProcess;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A worker that was started, or is about to be.
 *
 * @param writer the agent's end of its channel
 * @param endReported completes when the end of the worker was reported
 * @param asked whether it was asked to end
 */
public record WorkerHandle(
        int slot,
        int attempt,
        FileChannelWriter writer,
        CompletableFuture<WorkerProcess> process,
        CompletableFuture<Void> endReported,
        AtomicBoolean asked) {

    public static WorkerHandle of(
            int slot, int attempt, FileChannelWriter writer, CompletableFuture<WorkerProcess> process) {
        return new WorkerHandle(slot, attempt, writer, process, new CompletableFuture<>(), new AtomicBoolean());
    }

    /** One that could not be started. */
    public static WorkerHandle failed(int slot, int attempt, IOException reason) {
        return of(slot, attempt, FileChannelWriter.missing(slot, attempt), CompletableFuture.failedFuture(reason));
    }

    /** 0 = there is none. */
    public long pid() {
        return process.isDone() && !process.isCompletedExceptionally()
                ? process.join().pid()
                : 0;
    }

    public boolean gone() {
        return process.isCompletedExceptionally()
                || (process.isDone() && process.join().exit().isDone());
    }
}
