/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** Passes everything on and counts what many clients together ask of a store. */
final class CountingStore implements RendezvousStore {
    private final RendezvousStore store;
    /** Transactions that wrote. */
    final LongAdder writes = new LongAdder();
    /** Transactions that would have written, but for a guard. */
    final LongAdder refusals = new LongAdder();
    /** Keys in answers to reads. */
    final LongAdder keysRead = new LongAdder();

    /** The newest one that was granted. */
    volatile long lease;

    CountingStore(RendezvousStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<KeyValues> range(KeyRange range) {
        return store.range(range).whenComplete((read, error) -> count(read == null ? List.of() : List.of(read)));
    }

    @Override
    public CompletableFuture<TransactionResult> commit(Transaction transaction) {
        boolean wants = !transaction.onSuccess().stream().allMatch(Transaction.Operation.Get.class::isInstance);
        return store.commit(transaction).whenComplete((result, error) -> {
            if (result != null) {
                count(result.reads());
                if (wants) {
                    (result.succeeded() ? writes : refusals).increment();
                }
            }
        });
    }

    private void count(List<KeyValues> reads) {
        reads.forEach(read -> keysRead.add(read.entries().size()));
    }

    @Override
    public Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
        return store.watch(range, fromRevision, listener);
    }

    @Override
    public CompletableFuture<Long> grantLease(Duration ttl) {
        return store.grantLease(ttl).whenComplete((granted, error) -> lease = granted == null ? 0 : granted);
    }

    @Override
    public CompletableFuture<Boolean> renewLease(long leaseId) {
        return store.renewLease(leaseId);
    }

    @Override
    public CompletableFuture<Optional<Duration>> leaseAge(long leaseId) {
        return store.leaseAge(leaseId);
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return store.revokeLease(leaseId);
    }

    @Override
    public void close() {
        store.close();
    }
}
