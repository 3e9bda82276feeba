/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.loop;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A loop whose time a test passes by hand. */
public final class SteppedLoop implements EventLoop {
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
    private long nowNanos;
    private long suspendedNanos;
    private long order;

    private record Task(long atNanos, long order, Runnable task) {}

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Task scheduled = new Task(nowNanos + delay.toNanos(), order++, task);
        tasks.add(scheduled);
        return () -> tasks.remove(scheduled);
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public void assertInLoop() {}

    /** Passes time and runs what is due, at its own time. */
    public void pass(Duration time) {
        long endNanos = nowNanos + time.toNanos();
        for (Task next = tasks.peek(); next != null && next.atNanos <= endNanos; next = tasks.peek()) {
            tasks.remove();
            nowNanos = Math.max(nowNanos, next.atNanos);
            next.task.run();
        }
        nowNanos = endNanos;
    }

    /** Passes time in which the process does not run; what was due meanwhile runs at its end. */
    public void freeze(Duration time) {
        nowNanos += time.toNanos();
        pass(Duration.ZERO);
    }

    /** Suspends the machine: time passes for everybody else, and this clock stands still. */
    public void suspend(Duration time) {
        suspendedNanos += time.toNanos();
    }

    @Override
    public long suspendedNanos() {
        return suspendedNanos;
    }

    public int waiting() {
        return tasks.size();
    }
}
