/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.loop;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the loop on one thread of its own. An exception that leaves a task is passed to the handler; the loop continues.
 */
public final class ThreadEventLoop implements EventLoop, AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;
    private final Consumer<Throwable> onError;
    private final BootClock bootClock = new BootClock();
    private volatile @Nullable Thread thread;

    public ThreadEventLoop(String name, Consumer<Throwable> onError) {
        this.onError = onError;
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread created = Executors.defaultThreadFactory().newThread(task);
            created.setName(name);
            created.setDaemon(true);
            thread = created;
            return created;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(() -> run(task));
        } catch (RejectedExecutionException stopped) {
            // The owner is gone, and with it the state that the task was for.
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        LoopTimer timer = new LoopTimer(task);
        try {
            executor.schedule(() -> run(timer), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopped) {
            timer.cancel();
        }
        return timer;
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    @Override
    public long suspendedNanos() {
        return bootClock.suspendedNanos();
    }

    @Override
    public void assertInLoop() {
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException("cannot touch the loop's state from thread "
                    + Thread.currentThread().getName());
        }
    }

    /** Lets the current task finish and drops the others. */
    @Override
    public void close() {
        executor.shutdown();
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            onError.accept(e);
        }
    }

    private static final class LoopTimer implements Timer, Runnable {
        private final Runnable task;
        // Written and read in the loop only, but for a schedule() after close(), where no thread reads it.
        private boolean cancelled;

        LoopTimer(Runnable task) {
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }
    }
}
