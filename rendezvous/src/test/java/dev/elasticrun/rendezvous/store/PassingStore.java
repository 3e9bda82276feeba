/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Passes everything on; for stores that do something besides with some of it. */
public abstract class PassingStore implements RendezvousStore {
    private final RendezvousStore store;

    public PassingStore(RendezvousStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<KeyValues> range(KeyRange range) {
        return store.range(range);
    }

    @Override
    public CompletableFuture<TransactionResult> commit(Transaction transaction) {
        return store.commit(transaction);
    }

    @Override
    public Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
        return store.watch(range, fromRevision, listener);
    }

    @Override
    public CompletableFuture<Long> grantLease(Duration ttl) {
        return store.grantLease(ttl);
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
