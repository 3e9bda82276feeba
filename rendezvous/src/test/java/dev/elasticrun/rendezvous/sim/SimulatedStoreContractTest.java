/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreBackend;
import dev.elasticrun.rendezvous.store.StoreContractTest;
import dev.elasticrun.rendezvous.store.StoreException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/** The store of the simulations keeps what real ones promise. */
final class SimulatedStoreContractTest extends StoreContractTest {
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(1));

    @Override
    protected StoreBackend backend() {
        return new VirtualBackend();
    }

    private final class VirtualBackend implements StoreBackend {
        @Override
        public RendezvousStore connect() {
            return store.connect(new SimulatedLoop(time));
        }

        @Override
        public long nowNanos() {
            return time.nowNanos();
        }

        @Override
        public void until(Duration within, BooleanSupplier condition) {
            long endNanos = time.nowNanos() + within.toNanos();
            while (!condition.getAsBoolean()) {
                if (!time.step(Math.min(endNanos, time.nowNanos() + 10_000_000)) && time.nowNanos() >= endNanos) {
                    throw new AssertionError("did not happen within " + within);
                }
            }
        }

        @Override
        public <T> T get(CompletableFuture<T> future) {
            until(Duration.ofSeconds(20), future::isDone);
            try {
                return future.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof StoreException cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }
}
