/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last value of a slow read: reads again on request when the value is a second old, once for all concurrent
 * callers. Safe for use by any thread.
 */
public final class RecentRun<T> {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WAIT_MILLIS = 500;

    private final Supplier<CompletableFuture<T>> reading;
    private final LongSupplier nanoTime;
    private @Nullable CompletableFuture<T> pending;
    private @Nullable T newest;
    private long readNanos;

    /** @param reading must not block */
    public RecentRun(Supplier<CompletableFuture<T>> reading, LongSupplier nanoTime) {
        this.reading = reading;
        this.nanoTime = nanoTime;
    }

    /** The newest there is; waits half a second at most for a newer one. Empty = none could be read ever. */
    public Optional<T> get() {
        CompletableFuture<T> waitFor = begin();
        if (waitFor != null) {
            try {
                waitFor.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException notNow) {
                // What there was before has to do.
            }
        }
        synchronized (this) {
            return Optional.ofNullable(newest);
        }
    }

    private @Nullable CompletableFuture<T> begin() {
        CompletableFuture<T> started;
        synchronized (this) {
            if (newest != null && nanoTime.getAsLong() - readNanos < FRESH_NANOS) {
                return null;
            }
            if (pending != null) {
                return pending;
            }
            started = new CompletableFuture<>();
            pending = started;
        }
        reading.get().whenComplete((value, error) -> {
            synchronized (this) {
                pending = null;
                if (error == null) {
                    newest = value;
                    readNanos = nanoTime.getAsLong();
                }
            }
            if (error == null) {
                started.complete(value);
            } else {
                started.completeExceptionally(error);
            }
        });
        return started;
    }
}
