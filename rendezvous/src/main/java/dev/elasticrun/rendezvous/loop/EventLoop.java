/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.loop;

import java.time.Duration;

/**
 * Runs tasks one after the other, in the order in which they were posted, on behalf of one owner of state.
 *
 * <p>Everything that a task did happens-before the next task. Tasks must not block.
 */
public interface EventLoop {

    /** Posts a task; callable from any thread. Tasks posted after the loop was stopped are dropped. */
    void execute(Runnable task);

    /** Posts a task that runs once {@code delay} has passed, unless it is cancelled first, which is free of races when done in the loop. */
    Timer schedule(Duration delay, Runnable task);

    /** The loop's monotonic clock: nanoseconds from an arbitrary origin. */
    long nowNanos();

    /**
     * For how long the machine has been suspended, which {@link #nowNanos} does not count; only differences mean something.
     * Call it in the loop.
     */
    default long suspendedNanos() {
        return 0;
    }

    /**
     * First line of every method that touches the owner's state.
     *
     * @throws IllegalStateException when called outside the loop
     */
    void assertInLoop();

    /** A task that waits for its time. */
    interface Timer {
        /** The task will not run; a no-op when it did already. Call it in the loop. */
        void cancel();
    }
}
