/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.ElasticRuntime;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Stands for the computation of a larger model. */
final class StepTime {
    /** A round ends by an event, which ends the wait, or with its lease. */
    private static final long SLICE_NANOS = Duration.ofMillis(20).toNanos();

    private static volatile @Nullable Thread waiting;
    private static boolean isListening;

    private StepTime() {}

    /** Returns after that time, or when the result would be for a round that is over. Called by one thread. */
    static void pass(Duration time, long round) {
        if (!isListening) {
            ElasticRuntime.addListener(event -> LockSupport.unpark(waiting));
            isListening = true;
        }
        waiting = Thread.currentThread();
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            if (ElasticRuntime.changed(round) || Thread.currentThread().isInterrupted()) {
                return;
            }
            LockSupport.parkNanos(Math.min(left, SLICE_NANOS));
        }
    }

    /** Returns after that time, whatever happens to rounds: loading goes on meanwhile. */
    static void passAll(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos();
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
