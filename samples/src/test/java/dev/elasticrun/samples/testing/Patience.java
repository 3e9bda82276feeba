/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting with an end: every wait for a run goes through here. */
public final class Patience {
    /** Rare enough not to disturb what is measured: times come from the logs, not from the poll. */
    private static final Duration POLL = Duration.ofMillis(20);

    private Patience() {}

    /** Polls until the condition holds; after the limit, fails with what was awaited and the state at that time. */
    public static void until(String awaited, Duration limit, BooleanSupplier condition, Supplier<String> state) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(awaited + ": not within " + limit.toSeconds() + " s; " + state.get());
            }
            pause(POLL);
        }
    }

    public static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
        }
    }
}
