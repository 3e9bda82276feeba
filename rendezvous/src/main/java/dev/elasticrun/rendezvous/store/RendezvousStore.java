/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A map of keys to bytes in which every change has a revision: guarded transactions, watches and leases.
 *
 * <p>All methods may be called from any thread and never block. Futures complete, and listeners are called, on a thread
 * of the implementation; callers hop to their own. Every future ends within the implementation's deadline: normally, or
 * with a {@link StoreException}; a write whose outcome is unknown ends with {@link IndeterminateWriteException} and must
 * be read back. Nothing is retried behind the caller's back. When an answer shows that the store is not the one that
 * answered before, that call and all later ones fail with {@link StoreReplacedException}.
 */
public interface RendezvousStore extends AutoCloseable {

    /** All keys of a range at one revision, in key order. */
    CompletableFuture<KeyValues> range(KeyRange range);

    /** Applies the transaction's first list of operations if its guards hold, else the second, at one revision. */
    CompletableFuture<TransactionResult> commit(Transaction transaction);

    /**
     * Delivers every change in the range from revision {@code fromRevision} on (inclusive), in order, until closed or
     * failed. After {@link WatchListener#onFailed} nothing more comes: list again, then watch again.
     */
    Watch watch(KeyRange range, long fromRevision, WatchListener listener);

    /** Grants a lease; keys bound to it vanish when it is not renewed for {@code ttl}. The id is the result. */
    CompletableFuture<Long> grantLease(Duration ttl);

    /** Renews a lease once. False: the store does not know the lease (any more). */
    CompletableFuture<Boolean> renewLease(long leaseId);

    /**
     * How long ago a lease was granted or renewed the last time, by the store's clock. Stores count what is left in whole
     * seconds: the true age is at most the answer, and more than the answer less one second. Empty: the store does not
     * know the lease (any more).
     */
    CompletableFuture<Optional<Duration>> leaseAge(long leaseId);

    /** Ends a lease and deletes its keys; succeeds also when the lease is unknown. */
    CompletableFuture<Void> revokeLease(long leaseId);

    /** What the store reports of itself; empty: it reports nothing. For diagnosis: no decision of a run depends on it. */
    default CompletableFuture<Optional<StoreFacts>> facts() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Stops all watches and connections; outstanding futures fail. Does not throw. */
    @Override
    void close();
}
