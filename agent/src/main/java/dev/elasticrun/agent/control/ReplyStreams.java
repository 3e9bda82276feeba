/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.worker.contract.Daemons;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls that are answered by many messages, each on a thread of its own that waits for callers which are slow. Few at a
 * time: a caller more is refused.
 */
final class ReplyStreams {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String thread;
    private final String content;
    private final int limit;
    private final AtomicInteger running = new AtomicInteger();

    /** Sends all messages of a call, and completes it. */
    interface Answer {
        void run() throws IOException;
    }

    /**
     * @param thread name of the threads
     * @param content what they send, as callers read it in errors
     */
    ReplyStreams(String thread, String content, int limit) {
        this.thread = thread;
        this.content = content;
        this.limit = limit;
    }

    void start(ServerCallStreamObserver<?> caller, Answer answer) {
        // Without a handler of its own an answer to a caller that went away would throw.
        caller.setOnCancelHandler(() -> {});
        if (running.incrementAndGet() > limit) {
            running.decrementAndGet();
            caller.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("this agent sends " + content + " to " + limit + " callers already")
                    .asRuntimeException());
            return;
        }
        Daemons.start(thread, () -> run(caller, answer), why -> {
            running.decrementAndGet();
            caller.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription(content + ": " + why)
                    .asRuntimeException());
        });
    }

    private void run(ServerCallStreamObserver<?> caller, Answer answer) {
        try {
            answer.run();
        } catch (IOException | RuntimeException e) {
            caller.onError(Status.INTERNAL
                    .withDescription(content + " cannot be read: " + e.getMessage())
                    .asRuntimeException());
        } finally {
            running.decrementAndGet();
        }
    }

    /** Returns when the caller takes another message, or went away. */
    static void awaitReady(ServerCallStreamObserver<?> caller) {
        long pause = FIRST_NANOS;
        while (!caller.isReady() && !caller.isCancelled()) {
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LAST_NANOS);
        }
    }
}
