/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import dev.elasticrun.rendezvous.view.StoreHealth.Service;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Passes all calls on, and reports their outcome to the store's health before their callers can act on it in the loop.
 */
public final class ObservedStore implements RendezvousStore {
    private final RendezvousStore store;
    private final EventLoop loop;
    private final StoreHealth health;

    public ObservedStore(RendezvousStore store, EventLoop loop, StoreHealth health) {
        this.store = store;
        this.loop = loop;
        this.health = health;
    }

    @Override
    public CompletableFuture<KeyValues> range(KeyRange range) {
        return observe(Service.ANY, () -> store.range(range));
    }

    @Override
    public CompletableFuture<TransactionResult> commit(Transaction transaction) {
        boolean puts = Stream.concat(transaction.onSuccess().stream(), transaction.onFailure().stream())
                .anyMatch(Transaction.Operation.Put.class::isInstance);
        return observe(puts ? Service.WRITE : Service.ANY, () -> store.commit(transaction));
    }

    @Override
    public Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
        return store.watch(range, fromRevision, listener);
    }

    @Override
    public CompletableFuture<Long> grantLease(Duration ttl) {
        return observe(Service.LEASE, () -> store.grantLease(ttl));
    }

    @Override
    public CompletableFuture<Boolean> renewLease(long leaseId) {
        return observe(Service.LEASE, () -> store.renewLease(leaseId));
    }

    @Override
    public CompletableFuture<Optional<Duration>> leaseAge(long leaseId) {
        return observe(Service.ANY, () -> store.leaseAge(leaseId));
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return observe(Service.LEASE, () -> store.revokeLease(leaseId));
    }

    /** Does nothing: the owner of the store closes it. */
    @Override
    public void close() {}

    private <T> CompletableFuture<T> observe(Service service, Supplier<CompletableFuture<T>> call) {
        long sentNanos = loop.nowNanos();
        CompletableFuture<T> observed = new CompletableFuture<>();
        call.get().whenComplete((result, error) -> {
            if (error == null) {
                loop.execute(() -> health.onAnswer(service, sentNanos));
                observed.complete(result);
            } else {
                Throwable cause =
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
                loop.execute(() -> health.onFailure(sentNanos, cause));
                observed.completeExceptionally(cause);
            }
        });
        return observed;
    }
}
