/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Decides when the end of a worker is reported. Schedulers send a signal to all processes of a job, in any order: the
 * end of a worker by such a signal that its agent did not request is reported a moment later. If the agent is asked to
 * leave in that moment, the end is no failure. Failures in that moment are reported after the first one, of which they
 * may be a consequence. Safe for use by any thread.
 */
final class ExitHoldback {
    static final Duration MOMENT = Duration.ofMillis(300);

    private final Set<Integer> exitCodes;
    // Completes the ends that are held; a new future holds later ends.
    private CompletableFuture<Void> release = new CompletableFuture<>();

    private boolean leaving;
    // Whether an end may be held, at most until heldUntilNanos.
    private boolean holding;

    private long heldUntilNanos;

    /** @param exitCodes 128 + the number of each such signal */
    ExitHoldback(Set<Integer> exitCodes) {
        this.exitCodes = Set.copyOf(exitCodes);
    }

    /**
     * Completes when the end may be reported.
     *
     * @param nowNanos when it ended; as {@link System#nanoTime()}
     * @param asked whether the agent has asked the worker to end
     */
    synchronized CompletableFuture<Void> of(long nowNanos, int exitCode, BooleanSupplier asked) {
        boolean follows = holding && exitCode != 0 && nowNanos - heldUntilNanos < 0;
        if (leaving || asked.getAsBoolean() || !(follows || exitCodes.contains(exitCode))) {
            return CompletableFuture.completedFuture(null);
        }
        holding = true;
        heldUntilNanos = nowNanos + MOMENT.toNanos();
        return release.copy().completeOnTimeout(null, MOMENT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Nothing more is waited for: workers are being stopped. */
    void release() {
        CompletableFuture<Void> held;
        synchronized (this) {
            held = release;
            release = new CompletableFuture<>();
            holding = false;
        }
        held.complete(null);
    }

    /** The agent was asked to leave: from now on every end is reported at once. */
    void leaving() {
        synchronized (this) {
            leaving = true;
        }
        release();
    }
}
