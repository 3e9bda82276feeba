/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits with a time limit: every wait for a run goes through here. Any thread. */
public final class Patience {
    /** Rare enough not to disturb what is measured: times come from the logs, not from the poll. */
    private static final Duration POLL = Duration.ofMillis(20);

    private Patience() {}

    /**
     * Asks every 20 ms until the condition holds.
     *
     * @param awaited names the condition in the failure
     * @param state describes what is there when the limit has passed, for the failure
     * @throws AssertionError when the condition does not hold within the limit
     * @throws IllegalStateException when the thread is interrupted; its flag stays set
     */
    public static void until(String awaited, Duration limit, BooleanSupplier condition, Supplier<String> state) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(awaited + ": not within " + text(limit) + "; " + state.get());
            }
            pause(POLL);
        }
    }

    /** @throws IllegalStateException when the thread is interrupted; its flag stays set */
    public static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
        }
    }

    private static String text(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }
}
