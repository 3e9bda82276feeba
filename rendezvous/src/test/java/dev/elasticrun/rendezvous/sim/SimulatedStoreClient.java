/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.store.IndeterminateWriteException;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One process's connection to the simulated store. Requests and answers take their time, and some are lost. */
public final class SimulatedStoreClient implements RendezvousStore {
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private final SimulatedTime time;
    private final SimulatedStore store;
    private final SimulatedLoop process;
    private final Random random;
    private final int lossPerMille;

    SimulatedStoreClient(
            SimulatedTime time, SimulatedStore store, SimulatedLoop process, Random random, int lossPerMille) {
        this.time = time;
        this.store = store;
        this.process = process;
        this.random = random;
        this.lossPerMille = lossPerMille;
    }

    @Override
    public CompletableFuture<KeyValues> range(KeyRange range) {
        return call(false, () -> store.range(range));
    }

    @Override
    public CompletableFuture<TransactionResult> commit(Transaction transaction) {
        return call(true, () -> store.commit(transaction));
    }

    @Override
    public Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
        SimulatedStore.Watcher watcher = store.watch(process, range, fromRevision, listener);
        return watcher::close;
    }

    @Override
    public CompletableFuture<Long> grantLease(Duration ttl) {
        return call(true, () -> store.grant(ttl));
    }

    @Override
    public CompletableFuture<Boolean> renewLease(long leaseId) {
        return call(false, () -> store.renew(leaseId));
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return call(true, () -> {
                    store.revoke(leaseId);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public void close() {}

    private <T> CompletableFuture<T> call(boolean write, Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean lost = random.nextInt(1000) < lossPerMille;
        boolean lostBefore = lost && random.nextBoolean();
        time.after(delay(), () -> {
            if (store.down() || lostBefore) {
                fail(answer, write);
                return;
            }
            T result;
            try {
                result = work.get();
            } catch (StoreException e) {
                process.outside(delay(), () -> answer.completeExceptionally(e));
                return;
            }
            if (lost) {
                fail(answer, write);
            } else {
                process.outside(delay(), () -> answer.complete(result));
            }
        });
        return answer;
    }

    private void fail(CompletableFuture<?> answer, boolean write) {
        StoreException error = write
                ? new IndeterminateWriteException("no answer within 1 s", null)
                : new StoreException("no answer within 1 s", null);
        process.outside(DEADLINE, () -> answer.completeExceptionally(error));
    }

    private Duration delay() {
        return Duration.ofMillis(1 + random.nextInt(random.nextInt(30) == 0 ? 200 : 5));
    }
}
