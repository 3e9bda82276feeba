/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** Passes everything on and counts what many clients together ask of a store. */
public final class CountingStore extends PassingStore {
    /** Transactions that wrote. */
    public final LongAdder writes = new LongAdder();
    /** Transactions that would have written, but for a guard. */
    public final LongAdder refusals = new LongAdder();
    /** Keys in answers to reads. */
    public final LongAdder keysRead = new LongAdder();

    /** The newest one that was granted. */
    public volatile long lease;

    public CountingStore(RendezvousStore store) {
        super(store);
    }

    @Override
    public CompletableFuture<KeyValues> range(KeyRange range) {
        return super.range(range).whenComplete((read, error) -> count(read == null ? List.of() : List.of(read)));
    }

    @Override
    public CompletableFuture<TransactionResult> commit(Transaction transaction) {
        boolean wants = !transaction.onSuccess().stream().allMatch(Transaction.Operation.Get.class::isInstance);
        return super.commit(transaction).whenComplete((result, error) -> {
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
    public CompletableFuture<Long> grantLease(Duration ttl) {
        return super.grantLease(ttl).whenComplete((granted, error) -> lease = granted == null ? 0 : granted);
    }
}
