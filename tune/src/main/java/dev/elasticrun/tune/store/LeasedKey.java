/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A key that is there while its owner lives: bound to a lease, which is renewed on a thread of its own. When the store has
 * given the lease up, the key is written again, unless somebody else has written it meanwhile.
 */
public final class LeasedKey implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeasedKey.class);
    private static final int RENEWALS = 3;

    private final RendezvousStore store;
    private final String key;
    private final byte[] value;
    private final Duration ttl;
    private final ScheduledExecutorService thread;
    private volatile long leaseId;
    private volatile long createRevision;

    /** @param name of the thread */
    public LeasedKey(RendezvousStore store, String key, byte[] value, Duration ttl, String name) {
        this.store = store;
        this.key = key;
        this.value = value.clone();
        this.ttl = ttl;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread renewing = new Thread(task, name);
            renewing.setDaemon(true);
            return renewing;
        });
    }

    /**
     * Writes the key and begins to renew. Blocks.
     *
     * @return false if somebody has it
     * @throws CompletionException if the store does not answer
     */
    public boolean claim() {
        boolean isOwned = write();
        if (isOwned) {
            long rhythm = ttl.toMillis() / RENEWALS;
            thread.scheduleWithFixedDelay(this::renew, rhythm, rhythm, TimeUnit.MILLISECONDS);
        }
        return isOwned;
    }

    /** That the key is still this owner's. */
    public Guard owned() {
        return new Guard.CreateRevision(key, createRevision);
    }

    private boolean write() {
        long lease = store.grantLease(ttl).join();
        TransactionResult result = store.commit(new Transaction(
                        List.of(new Guard.CreateRevision(key, 0)),
                        List.of(new Operation.Put(key, value, lease)),
                        List.of()))
                .join();
        if (result.succeeded()) {
            leaseId = lease;
            createRevision = result.revision();
        } else {
            store.revokeLease(lease);
        }
        return result.succeeded();
    }

    private void renew() {
        try {
            if (!store.renewLease(leaseId).join() && !write()) {
                LOG.warn("{} has another owner", key);
            }
        } catch (CompletionException e) {
            LOG.debug("the lease of {} was not renewed, trying again: {}", key, e.getCause(), e);
        }
    }

    /** Deletes the key. */
    @Override
    public void close() {
        thread.shutdownNow();
        CompletableFuture<Void> revoked = store.revokeLease(leaseId);
        try {
            revoked.join();
        } catch (CompletionException e) {
            LOG.debug("the lease of {} ends by itself", key, e);
        }
    }
}
