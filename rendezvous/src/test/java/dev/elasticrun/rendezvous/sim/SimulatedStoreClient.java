/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.store.IndeterminateWriteException;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's connection to the simulated store. Requests and answers take their time; some are lost, and a request
 * that its client has given up may arrive all the same.
 */
public final class SimulatedStoreClient implements RendezvousStore {
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private final SimulatedTime time;
    private final SimulatedStore store;
    private final SimulatedLoop process;
    private final Random random;
    private final List<SimulatedWatcher> watchers = new ArrayList<>();
    private final List<Runnable> afterMending = new ArrayList<>();
    private final Map<KeyRange, Long> known = new HashMap<>();
    private final StoreMemory memory = new StoreMemory();
    private int lossPerMille;
    private int slowMillis;
    private @Nullable String lateKey;
    private boolean requestsLost;
    private boolean answersLost;
    private boolean closed;

    /**
     * Where a write came from, and what its process knew when it sent it.
     *
     * @param known up to which revision of the store the process had received which range
     */
    public record Origin(SimulatedLoop process, Map<KeyRange, Long> known) {

        /** Whether the process knew, by its view of that range, of what happened at that revision. */
        public boolean knew(KeyRange range, long revision) {
            return known.getOrDefault(range, 0L) >= revision;
        }
    }

    SimulatedStoreClient(SimulatedTime time, SimulatedStore store, SimulatedLoop process, Random random) {
        this.time = time;
        this.store = store;
        this.process = process;
        this.random = random;
    }

    /** From now on so many of a thousand calls are lost, before or after they take effect. */
    public void lose(int perMille) {
        lossPerMille = perMille;
    }

    /** From now on every call takes up to so much longer each way. */
    public void slow(int millis) {
        slowMillis = millis;
    }

    /** The network drops what this process sends, or what it is sent, or both. */
    public void cut(boolean requests, boolean answers) {
        requestsLost = requests;
        answersLost = answers;
    }

    /** The next write of a key with this ending arrives after its client has given it up. */
    public void delayNext(String keyEnding) {
        lateKey = keyEnding;
    }

    public void mend() {
        requestsLost = false;
        answersLost = false;
        List<Runnable> waiting = List.copyOf(afterMending);
        afterMending.clear();
        waiting.forEach(Runnable::run);
    }

    public SimulatedLoop process() {
        return process;
    }

    boolean receivesNothing() {
        return answersLost;
    }

    void onMended(Runnable task) {
        afterMending.add(task);
    }

    /** The process has received all in this range up to that revision; it may need a moment to take it in. */
    void learn(KeyRange range, long revision) {
        process.outside(Duration.ofNanos(1), () -> known.merge(range, revision, Math::max));
    }

    @Override
    public CompletableFuture<KeyValues> range(KeyRange range) {
        return call(Kind.READ, () -> store.range(range), found -> learn(range, found.revision()));
    }

    @Override
    public CompletableFuture<TransactionResult> commit(Transaction transaction) {
        boolean write = !transaction.onSuccess().isEmpty();
        Origin origin = new Origin(process, Map.copyOf(known));
        boolean late = lateKey != null
                && transaction.onSuccess().stream()
                        .anyMatch(step -> step instanceof Transaction.Operation.Put put
                                && put.key().endsWith(lateKey));
        if (late) {
            lateKey = null;
            CompletableFuture<TransactionResult> answer = new CompletableFuture<>();
            process.outside(DEADLINE, () -> fail(answer, true));
            int life = store.lives();
            time.after(DEADLINE.plusMillis(10 + random.nextInt(2000)), () -> {
                if (life == store.lives()) {
                    arriveLate(transaction, origin);
                }
            });
            return answer;
        }
        return call(write ? Kind.WRITE : Kind.READ, () -> store.commit(transaction, origin), result -> {});
    }

    private void arriveLate(Transaction transaction, Origin origin) {
        try {
            time.note("store: a LATE write arrives");
            store.commit(transaction, origin);
        } catch (StoreException e) {
            time.note("store: refused the late write, " + e.getMessage());
        }
    }

    @Override
    public Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
        SimulatedWatcher watcher = store.watch(this, range, fromRevision, listener);
        watchers.add(watcher);
        if (store.down() || requestsLost || answersLost) {
            watcher.fail("no connection");
        }
        return () -> {
            watchers.remove(watcher);
            watcher.close();
        };
    }

    @Override
    public CompletableFuture<Long> grantLease(Duration ttl) {
        return call(Kind.LEASE, () -> store.grant(ttl), lease -> {});
    }

    @Override
    public CompletableFuture<Boolean> renewLease(long leaseId) {
        return call(Kind.RENEWAL, () -> store.renew(leaseId), renewed -> {});
    }

    @Override
    public CompletableFuture<Optional<Duration>> leaseAge(long leaseId) {
        return call(Kind.READ, () -> store.leaseAge(leaseId), age -> {});
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return call(
                        Kind.LEASE,
                        () -> {
                            store.revoke(leaseId);
                            return true;
                        },
                        revoked -> {})
                .thenAccept(done -> {});
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(watchers).forEach(watcher -> watcher.fail("the store is closed"));
    }

    /** What a call does, and what its answer states of the store. */
    private enum Kind {
        READ,
        WRITE,
        /** A lease is granted or ended. */
        LEASE,
        /** Answered by a member of the store that may lag. */
        RENEWAL
    }

    private <T> CompletableFuture<T> call(Kind kind, Supplier<T> work, Consumer<T> onAnswer) {
        if (closed) {
            return CompletableFuture.failedFuture(new StoreException("the store is closed", null));
        }
        if (memory.replaced) {
            return CompletableFuture.failedFuture(new StoreReplacedException("another store answered"));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean write = kind == Kind.WRITE || kind == Kind.LEASE;
        boolean lost = random.nextInt(1000) < lossPerMille;
        boolean lostBefore = requestsLost || (lost && random.nextBoolean());
        process.outside(DEADLINE, () -> fail(answer, write));
        if (lostBefore && (!write || random.nextBoolean())) {
            return answer;
        }
        Duration underWay = lostBefore ? delay().plusMillis(500 + random.nextInt(2500)) : delay();
        long least = kind == Kind.RENEWAL ? 0 : memory.revision();
        int life = store.lives();
        time.after(underWay, () -> {
            if (store.down() || life != store.lives()) {
                return;
            }
            Runnable reported = serve(answer, least, work, onAnswer);
            if (!lost && !answersLost) {
                process.outside(delay(), () -> {
                    if (life == store.lives()) {
                        reported.run();
                    }
                });
            }
        });
        return answer;
    }

    /** Lets the store work; what is returned brings the answer home. */
    private <T> Runnable serve(CompletableFuture<T> answer, long least, Supplier<T> work, Consumer<T> onAnswer) {
        try {
            T result = work.get();
            long cluster = store.clusterId();
            long revision = store.revision();
            return () -> {
                try {
                    memory.check(cluster, revision, least);
                } catch (StoreReplacedException e) {
                    answer.completeExceptionally(e);
                    return;
                }
                if (answer.complete(result)) {
                    onAnswer.accept(result);
                }
            };
        } catch (StoreException e) {
            return () -> answer.completeExceptionally(e);
        }
    }

    /** What a client knows of its store, so that it detects another one. */
    private static final class StoreMemory {
        private long clusterId;
        private long revision;
        private boolean replaced;

        long revision() {
            return revision;
        }

        void check(long cluster, long answered, long least) {
            replaced |= (clusterId != 0 && cluster != clusterId) || answered < least;
            if (replaced) {
                throw new StoreReplacedException("another store answers, or one that has lost data");
            }
            clusterId = cluster;
            revision = Math.max(revision, answered);
        }
    }

    private static void fail(CompletableFuture<?> answer, boolean write) {
        answer.completeExceptionally(
                write
                        ? new IndeterminateWriteException("no answer within 1 s", null)
                        : new StoreException("no answer within 1 s", null));
    }

    private Duration delay() {
        int usual = 1 + random.nextInt(random.nextInt(30) == 0 ? 200 : 5);
        return Duration.ofMillis(usual + (slowMillis == 0 ? 0 : random.nextInt(slowMillis)));
    }
}
