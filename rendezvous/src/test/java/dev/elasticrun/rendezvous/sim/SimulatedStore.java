/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.WatchListener;
import dev.elasticrun.rendezvous.store.WatchListener.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server of a simulated run: revisions, guards, leases on virtual time, watches that tell late but in order. */
public final class SimulatedStore {
    private final SimulatedTime time;
    private final Random random;
    private final SortedMap<String, KeyValue> keys = new TreeMap<>();
    private final Map<Long, Lease> leases = new LinkedHashMap<>();
    private final List<Change> history = new ArrayList<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final List<Consumer<KeyValue>> observers = new ArrayList<>();
    private long revision = 1;
    private long nextLease = 100;
    private boolean down;

    /** All events of one revision. */
    private record Change(long revision, List<WatchEvent> events) {}

    private record Lease(long ttlNanos, long expiryNanos) {}

    SimulatedStore(SimulatedTime time, Random random) {
        this.time = time;
        this.random = random;
    }

    /** Told of every write as it happens. */
    void observe(Consumer<KeyValue> observer) {
        observers.add(observer);
    }

    boolean down() {
        return down;
    }

    /** @param breakWatches whether clients notice by their watches, too */
    void goDown(boolean breakWatches) {
        down = true;
        if (breakWatches) {
            this.breakWatches();
        }
    }

    void breakWatches() {
        List<Watcher> broken = List.copyOf(watchers);
        watchers.clear();
        broken.forEach(Watcher::fail);
    }

    /** @param extendLeases what a store does whose own clock did not run meanwhile */
    void comeBack(boolean extendLeases) {
        down = false;
        if (extendLeases) {
            List.copyOf(leases.keySet()).forEach(this::renew);
        }
    }

    @Nullable
    KeyValue get(String key) {
        return keys.get(key);
    }

    Collection<String> names() {
        return List.copyOf(keys.keySet());
    }

    KeyValues range(KeyRange range) {
        return read(new Transaction.Operation.Get(range));
    }

    private static KeyValue withoutValue(KeyValue entry) {
        return new KeyValue(entry.key(), new byte[0], entry.createRevision(), entry.modRevision(), entry.leaseId());
    }

    private KeyValues read(Transaction.Operation.Get get) {
        List<KeyValue> inRange = keys.values().stream()
                .filter(entry -> get.range().contains(entry.key()))
                .toList();
        return new KeyValues(
                revision,
                42,
                inRange.stream()
                        .filter(entry -> entry.modRevision() > get.modifiedAfter())
                        .limit(get.limit() == 0 ? Long.MAX_VALUE : get.limit())
                        .map(entry -> get.keysOnly() ? withoutValue(entry) : entry)
                        .toList(),
                inRange.size());
    }

    TransactionResult commit(Transaction transaction) {
        boolean holds = transaction.guards().stream().allMatch(this::holds);
        List<Transaction.Operation> operations = holds ? transaction.onSuccess() : transaction.onFailure();
        for (Transaction.Operation operation : operations) {
            if (operation instanceof Transaction.Operation.Put put
                    && put.leaseId() != 0
                    && !leases.containsKey(put.leaseId())) {
                throw new StoreException("requested lease not found", null);
            }
        }
        List<WatchEvent> events = new ArrayList<>();
        List<KeyValue> written = new ArrayList<>();
        List<Transaction.Operation.Get> reads = new ArrayList<>();
        long next = revision + 1;
        for (Transaction.Operation operation : operations) {
            if (operation instanceof Transaction.Operation.Put put) {
                KeyValue old = keys.get(put.key());
                KeyValue entry = new KeyValue(
                        put.key(), put.value(), old == null ? next : old.createRevision(), next, put.leaseId());
                keys.put(put.key(), entry);
                events.add(new WatchEvent.Written(entry));
                written.add(entry);
            } else if (operation instanceof Transaction.Operation.Delete delete) {
                delete(delete.range(), next, events);
            } else if (operation instanceof Transaction.Operation.Get get) {
                reads.add(get);
            }
        }
        publish(next, events);
        written.forEach(entry -> observers.forEach(observer -> observer.accept(entry)));
        return new TransactionResult(
                holds, revision, reads.stream().map(this::read).toList());
    }

    private boolean holds(Transaction.Guard guard) {
        KeyValue entry = keys.get(guard.key());
        if (guard instanceof Transaction.Guard.CreateRevision create) {
            return create.revision() == (entry == null ? 0 : entry.createRevision());
        }
        return ((Transaction.Guard.ModRevision) guard).revision() == (entry == null ? 0 : entry.modRevision());
    }

    private void delete(KeyRange range, long at, List<WatchEvent> events) {
        for (String key : List.copyOf(keys.keySet())) {
            if (range.contains(key)) {
                keys.remove(key);
                events.add(new WatchEvent.Deleted(key, at));
            }
        }
    }

    private void publish(long next, List<WatchEvent> events) {
        if (!events.isEmpty()) {
            revision = next;
            Change change = new Change(next, List.copyOf(events));
            history.add(change);
            List.copyOf(watchers).forEach(watcher -> watcher.tell(change));
        }
    }

    long grant(Duration ttl) {
        long lease = nextLease++;
        leases.put(lease, new Lease(ttl.toNanos(), time.nowNanos() + ttl.toNanos()));
        expireLater(lease);
        return lease;
    }

    boolean renew(long lease) {
        Lease known = leases.get(lease);
        if (known == null) {
            return false;
        }
        leases.put(lease, new Lease(known.ttlNanos(), time.nowNanos() + known.ttlNanos()));
        expireLater(lease);
        return true;
    }

    void revoke(long lease) {
        if (leases.remove(lease) != null) {
            List<WatchEvent> events = new ArrayList<>();
            for (KeyValue entry : List.copyOf(keys.values())) {
                if (entry.leaseId() == lease) {
                    delete(KeyRange.key(entry.key()), revision + 1, events);
                }
            }
            publish(revision + 1, events);
        }
    }

    private void expireLater(long lease) {
        Lease granted = leases.get(lease);
        if (granted != null) {
            time.after(Duration.ofNanos(granted.expiryNanos() - time.nowNanos()), () -> {
                if (granted.equals(leases.get(lease)) && !down) {
                    time.note("store: lease " + lease + " expired");
                    revoke(lease);
                } else if (granted.equals(leases.get(lease))) {
                    time.after(Duration.ofMillis(500), () -> expireIfStill(lease, granted));
                }
            });
        }
    }

    private void expireIfStill(long lease, Lease granted) {
        if (granted.equals(leases.get(lease))) {
            if (down) {
                time.after(Duration.ofMillis(500), () -> expireIfStill(lease, granted));
            } else {
                time.note("store: lease " + lease + " expired");
                revoke(lease);
            }
        }
    }

    Watcher watch(SimulatedLoop process, KeyRange range, long fromRevision, WatchListener listener) {
        Watcher watcher = new Watcher(process, range, fromRevision, listener);
        if (down) {
            watcher.fail();
        } else {
            watchers.add(watcher);
            history.forEach(watcher::tell);
        }
        return watcher;
    }

    /** One client's watch: late, and in order. */
    final class Watcher {
        private final SimulatedLoop process;
        private final KeyRange range;
        private final long fromRevision;
        private final WatchListener listener;
        private long lastNanos;
        private boolean closed;

        private Watcher(SimulatedLoop process, KeyRange range, long fromRevision, WatchListener listener) {
            this.process = process;
            this.range = range;
            this.fromRevision = fromRevision;
            this.listener = listener;
        }

        private void tell(Change change) {
            List<WatchEvent> seen = change.events().stream()
                    .filter(event -> range.contains(
                            event instanceof WatchEvent.Written written
                                    ? written.entry().key()
                                    : ((WatchEvent.Deleted) event).key()))
                    .toList();
            if (change.revision() >= fromRevision && !seen.isEmpty()) {
                later(() -> listener.onEvents(change.revision(), seen));
            }
        }

        private void fail() {
            later(() -> listener.onFailed(new StoreException("the watch broke", null)));
        }

        private void later(Runnable task) {
            int slow = random.nextInt(20) == 0 ? 400 : 4;
            long at = Math.max(
                    lastNanos,
                    time.nowNanos()
                            + Duration.ofMillis(1 + random.nextInt(slow)).toNanos());
            lastNanos = at;
            process.outside(Duration.ofNanos(at - time.nowNanos()), () -> {
                if (!closed) {
                    task.run();
                }
            });
        }

        void close() {
            closed = true;
            watchers.remove(this);
        }
    }
}
