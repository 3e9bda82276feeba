/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreFacts;
import dev.elasticrun.rendezvous.store.StoreRefusedException;
import dev.elasticrun.rendezvous.store.StoreUntrustedException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Calls a store as agents do: reads, then writes a temporary key many times. Blocks. */
final class StoreProbe {
    private static final int WRITES = 50;
    private static final int VALUE_BYTES = 128;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final RendezvousStore store;

    StoreProbe(RendezvousStore store) {
        this.store = store;
    }

    /**
     * What was found.
     *
     * @param facts empty = the store reports none
     * @param writes empty = none succeeded
     * @param trouble what failed; else empty
     */
    record Answer(Optional<StoreFacts> facts, Optional<Latencies> writes, String trouble) {
        boolean isReachable() {
            return writes.isPresent();
        }
    }

    /**
     * @param key that is written and removed
     * @param patience how long the store may take to answer for the first time
     */
    Answer ask(String key, Duration patience) {
        try {
            awaitAnswer(key, patience);
            return new Answer(facts(), Optional.of(write(key)), "");
        } catch (StoreException e) {
            return new Answer(Optional.empty(), Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    private void awaitAnswer(String key, Duration patience) {
        long startNanos = System.nanoTime();
        while (true) {
            try {
                get(store.range(KeyRange.key(key)));
                return;
            } catch (StoreUntrustedException | StoreRefusedException e) {
                // The next call would end in the same way.
                throw e;
            } catch (StoreException e) {
                if (System.nanoTime() - startNanos >= patience.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    // A user of an etcd may be allowed less than its data.
    private Optional<StoreFacts> facts() {
        try {
            return get(store.facts());
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    private Latencies write(String key) {
        long lease = get(store.grantLease(LEASE));
        try {
            Transaction put = new Transaction(
                    List.of(), List.of(new Operation.Put(key, new byte[VALUE_BYTES], lease)), List.of());
            get(store.commit(put));
            long[] nanos = new long[WRITES];
            for (int i = 0; i < WRITES; i++) {
                long startNanos = System.nanoTime();
                get(store.commit(put));
                nanos[i] = System.nanoTime() - startNanos;
            }
            return Latencies.of(nanos);
        } finally {
            // Its keys end with it.
            get(store.revokeLease(lease));
        }
    }

    /** @throws StoreException with which the call failed */
    static <T> T get(CompletableFuture<T> call) {
        try {
            return call.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
