/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The one queue of a simulation: what happens next happens in the order of time, and of posting at the same time. */
public final class SimulatedTime {
    private static final int KEPT_LINES = 600;
    private static final long START_NANOS = 1_000_000_000L;

    private final PriorityQueue<Entry> queue =
            new PriorityQueue<>(Comparator.comparingLong(Entry::atNanos).thenComparingLong(Entry::number));
    private final Deque<Line> trace = new ArrayDeque<>();
    private long nowNanos = START_NANOS;
    private long numbers;
    private @Nullable SimulatedLoop running;

    private record Entry(
            long atNanos, long number, @Nullable SimulatedLoop process, boolean inLoop, Runnable task) {}

    private record Line(long atNanos, String text) {}

    public long nowNanos() {
        return nowNanos;
    }

    /** Something outside of every process. */
    public void after(Duration delay, Runnable task) {
        add(delay, null, false, task);
    }

    void add(Duration delay, @Nullable SimulatedLoop process, boolean inLoop, Runnable task) {
        long at = nowNanos + Math.max(0, delay.toNanos());
        queue.add(new Entry(at, numbers++, process, inLoop, task));
    }

    /** The loop whose task runs now. */
    @Nullable
    SimulatedLoop running() {
        return running;
    }

    /** Lets that much time pass, with all that happens meanwhile. */
    public void pass(Duration length) {
        long untilNanos = nowNanos + length.toNanos();
        while (step(untilNanos)) {
            // Until nothing is left to happen before that time.
        }
    }

    /** Lets the next thing happen, if it is not later than that; else that much time passes. */
    public boolean step(long untilNanos) {
        Entry next = queue.peek();
        if (next == null || next.atNanos() > untilNanos) {
            nowNanos = Math.max(nowNanos, untilNanos);
            return false;
        }
        queue.remove();
        nowNanos = next.atNanos();
        SimulatedLoop process = next.process();
        if (process == null) {
            next.task().run();
        } else if (process.frozen()) {
            process.hold(() -> add(Duration.ZERO, process, next.inLoop(), next.task()));
        } else if (!process.dead()) {
            running = next.inLoop() ? process : null;
            try {
                next.task().run();
            } finally {
                running = null;
            }
        }
        return true;
    }

    /** How much has been posted so far. */
    public long posted() {
        return numbers;
    }

    /** A line of the event trace. */
    public void note(String text) {
        trace.addLast(new Line(nowNanos, text));
        if (trace.size() > KEPT_LINES) {
            trace.removeFirst();
        }
    }

    /** The newest lines of the event trace. */
    public List<String> trace() {
        return trace.stream()
                .map(line -> String.format("%10.3f ms  %s", (line.atNanos() - START_NANOS) / 1e6, line.text()))
                .toList();
    }
}
