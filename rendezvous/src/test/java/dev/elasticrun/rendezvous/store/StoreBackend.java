/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** A store under test, and the time that it lives in. What is given here is for stores that live in real time. */
public interface StoreBackend {
    /** A new client; the caller closes it. */
    RendezvousStore connect();

    default long nowNanos() {
        return System.nanoTime();
    }

    /** Lets time pass until the condition holds, and fails when it does not within that time. */
    default void until(Duration within, BooleanSupplier condition) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(within)
                .until(condition::getAsBoolean);
    }

    /** The result, or the store's own exception. */
    default <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within 20 s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
