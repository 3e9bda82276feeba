/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.worker.contract.Daemons;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends connections of callers that do not read their answers: a caller that reads single bytes at long intervals would
 * keep a thread and the answer for ever. Safe for use by any thread.
 */
final class Patience implements AutoCloseable {
    private final long limitNanos;
    private final ScheduledThreadPoolExecutor timer;

    /** What blocks until the caller has taken it. */
    @FunctionalInterface
    interface Writing {
        void run() throws IOException;
    }

    /** @param limit for a whole answer, or a piece of a stream */
    Patience(Duration limit) {
        this.limitNanos = limit.toNanos();
        this.timer = new ScheduledThreadPoolExecutor(1, Daemons.named("http-patience"));
        timer.setRemoveOnCancelPolicy(true);
        // Later there may be no thread to be had.
        timer.prestartCoreThread();
    }

    /**
     * Writes in this thread.
     *
     * @throws IOException also when the caller did not take it in time; its connection is closed then
     */
    void limited(Writing writing) throws IOException {
        Writer writer = new Writer(Thread.currentThread());
        ScheduledFuture<?> end = timer.schedule(writer::interrupt, limitNanos, TimeUnit.NANOSECONDS);
        try {
            writing.run();
        } finally {
            end.cancel(false);
            writer.done();
        }
    }

    /** A stream each of whose writes is limited. */
    OutputStream limited(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(int value) throws IOException {
                limited(() -> out.write(value));
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                limited(() -> out.write(bytes, from, length));
            }

            @Override
            public void flush() throws IOException {
                limited(out::flush);
            }

            @Override
            public void close() throws IOException {
                limited(out::close);
            }
        };
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** A thread that writes. An interrupt closes the channel that it is blocked in; none comes after it is done. */
    private static final class Writer {
        private final Thread thread;
        private boolean done;
        private boolean late;

        Writer(Thread thread) {
            this.thread = thread;
        }

        synchronized void interrupt() {
            if (!done) {
                late = true;
                thread.interrupt();
            }
        }

        synchronized void done() {
            done = true;
            if (late) {
                Thread.interrupted();
            }
        }
    }
}
