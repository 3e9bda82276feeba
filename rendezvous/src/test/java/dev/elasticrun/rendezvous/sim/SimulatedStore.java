/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.WatchListener;
import dev.elasticrun.rendezvous.store.WatchListener.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The server of a simulated run: revisions, guards, leases on virtual time, watches that report late but in order, and a
 * history that can be compacted. Held to the contract of the real stores by {@code SimulatedStoreContractTest}.
 */
public final class SimulatedStore {
    private static final int MAX_REQUEST_BYTES = 3 << 19;

    private final SimulatedTime time;
    private final Random random;
    private final SimulatedLeases leases;
    private final SortedMap<String, KeyValue> keys = new TreeMap<>();
    private final TreeMap<Long, List<WatchEvent>> history = new TreeMap<>();
    private final Map<String, Long> deletions = new TreeMap<>();
    private final List<SimulatedWatcher> watchers = new ArrayList<>();
    private final List<Observer> observers = new ArrayList<>();
    private long revision = 1;
    private long compacted;
    private long clusterId = 42;
    private int lives;
    private boolean down;
    private boolean full;

    /** Receives every change as it happens. */
    public interface Observer {
        void onWritten(KeyValue entry, SimulatedStoreClient.Origin writer);

        void onDeleted(KeyValue last);
    }

    public SimulatedStore(SimulatedTime time, Random random) {
        this.time = time;
        this.random = random;
        this.leases = new SimulatedLeases(time, () -> down, this::deleteBoundTo);
    }

    /** The connection of one process. */
    public SimulatedStoreClient connect(SimulatedLoop process) {
        return new SimulatedStoreClient(time, this, process, random);
    }

    public void observe(Observer observer) {
        observers.add(observer);
    }

    /** @param breakWatches whether clients notice by their watches, too */
    public void goDown(boolean breakWatches) {
        down = true;
        if (breakWatches) {
            breakWatches();
        }
    }

    /** @param extendLeases what a store does whose own clock did not run meanwhile */
    public void comeBack(boolean extendLeases) {
        down = false;
        if (extendLeases) {
            leases.extendAll();
        }
    }

    public boolean down() {
        return down;
    }

    /**
     * Another store is here from now on, empty: its connections are new, and what was under way to the old one is lost.
     *
     * @param sameCluster as after a start with the same flags: only the revision shows it
     */
    public void replace(boolean sameCluster) {
        lives++;
        clusterId += sameCluster ? 0 : 1;
        keys.clear();
        history.clear();
        deletions.clear();
        leases.forget();
        revision = 1;
        compacted = 0;
        breakWatches();
    }

    /** How often it was replaced. */
    int lives() {
        return lives;
    }

    long clusterId() {
        return clusterId;
    }

    long revision() {
        return revision;
    }

    /** Out of space: writes and new leases are refused, all else works. */
    public void full(boolean nowFull) {
        full = nowFull;
    }

    public void breakWatches() {
        List.copyOf(watchers).forEach(watcher -> watcher.fail("the watch broke"));
    }

    /** Some watches report nothing any more, not even that they broke. */
    public void deafenWatches() {
        watchers.stream().filter(watcher -> random.nextBoolean()).forEach(SimulatedWatcher::deafen);
    }

    /** Forgets the history: who is behind must list again. */
    public void compact() {
        compacted = revision;
        history.clear();
    }

    /** Drops what is kept of processes that were killed, and of keys that were deleted; what is under way goes on. */
    public void forgetTheDead() {
        watchers.removeIf(SimulatedWatcher::dead);
        deletions.clear();
    }

    public @Nullable KeyValue get(String key) {
        return keys.get(key);
    }

    public Collection<String> names() {
        return List.copyOf(keys.keySet());
    }

    /** The revision at which the key was last deleted; 0 = never. */
    public long deletedAt(String key) {
        return deletions.getOrDefault(key, 0L);
    }

    KeyValues range(KeyRange range) {
        return read(new Operation.Get(range));
    }

    private static KeyValue withoutValue(KeyValue entry) {
        return new KeyValue(entry.key(), new byte[0], entry.createRevision(), entry.modRevision(), entry.leaseId());
    }

    private KeyValues read(Operation.Get get) {
        Collection<KeyValue> inRange =
                keys.subMap(get.range().from(), get.range().to()).values();
        long limit = get.limit() == 0 ? Long.MAX_VALUE : get.limit();
        List<KeyValue> entries = new ArrayList<>();
        long count = 0;
        for (KeyValue entry : inRange) {
            count++;
            if (entry.modRevision() > get.modifiedAfter() && entries.size() < limit) {
                entries.add(get.keysOnly() ? withoutValue(entry) : entry);
            }
        }
        return new KeyValues(revision, clusterId, entries, count);
    }

    TransactionResult commit(Transaction transaction, SimulatedStoreClient.Origin writer) {
        check(transaction.onSuccess());
        check(transaction.onFailure());
        boolean holds = transaction.guards().stream().allMatch(this::holds);
        List<Operation> operations = holds ? transaction.onSuccess() : transaction.onFailure();
        for (Operation operation : operations) {
            if (operation instanceof Operation.Put put && put.leaseId() != 0 && !leases.known(put.leaseId())) {
                throw new StoreException("requested lease not found", null);
            }
        }
        List<WatchEvent> events = new ArrayList<>();
        List<KeyValue> written = new ArrayList<>();
        List<KeyValues> reads = new ArrayList<>();
        long next = revision + 1;
        for (Operation operation : operations) {
            if (operation instanceof Operation.Put put) {
                KeyValue old = keys.get(put.key());
                KeyValue entry = new KeyValue(
                        put.key(), put.value(), old == null ? next : old.createRevision(), next, put.leaseId());
                keys.put(put.key(), entry);
                events.add(new WatchEvent.Written(entry));
                written.add(entry);
            } else if (operation instanceof Operation.Delete delete) {
                range(delete.range()).entries().forEach(entry -> delete(entry, next, events));
            } else if (operation instanceof Operation.Get get) {
                reads.add(read(get));
            }
        }
        publish(next, events);
        written.forEach(entry -> observers.forEach(observer -> observer.onWritten(entry, writer)));
        return new TransactionResult(
                holds,
                revision,
                reads.stream()
                        .map(read -> new KeyValues(revision, read.clusterId(), read.entries(), read.count()))
                        .toList());
    }

    private void check(List<Operation> operations) {
        Set<String> written = new HashSet<>();
        int bytes = 0;
        for (Operation operation : operations) {
            if (operation instanceof Operation.Put put) {
                bytes += put.value().length;
                if (!written.add(put.key())) {
                    throw new StoreException("duplicate key given in txn request", null);
                }
            }
        }
        if (bytes > MAX_REQUEST_BYTES) {
            throw new StoreException("request is too large", null);
        }
        if (full && !written.isEmpty()) {
            throw new StoreException("mvcc: database space exceeded", null);
        }
    }

    private boolean holds(Transaction.Guard guard) {
        KeyValue entry = keys.get(guard.key());
        if (guard instanceof Transaction.Guard.CreateRevision create) {
            return create.revision() == (entry == null ? 0 : entry.createRevision());
        }
        return ((Transaction.Guard.ModRevision) guard).revision() == (entry == null ? 0 : entry.modRevision());
    }

    private void delete(KeyValue entry, long at, List<WatchEvent> events) {
        keys.remove(entry.key());
        deletions.put(entry.key(), at);
        events.add(new WatchEvent.Deleted(entry.key(), at));
        observers.forEach(observer -> observer.onDeleted(entry));
    }

    private void deleteBoundTo(long lease) {
        List<WatchEvent> events = new ArrayList<>();
        long next = revision + 1;
        List.copyOf(keys.values()).stream()
                .filter(entry -> entry.leaseId() == lease)
                .forEach(entry -> delete(entry, next, events));
        publish(next, events);
    }

    private void publish(long next, List<WatchEvent> events) {
        if (!events.isEmpty()) {
            revision = next;
            history.put(next, List.copyOf(events));
            List.copyOf(watchers).forEach(watcher -> watcher.report(next, events));
        }
    }

    long grant(Duration ttl) {
        if (full) {
            throw new StoreException("mvcc: database space exceeded", null);
        }
        return leases.grant(ttl);
    }

    boolean renew(long lease) {
        return leases.renew(lease);
    }

    Optional<Duration> leaseAge(long lease) {
        return leases.age(lease);
    }

    void revoke(long lease) {
        leases.revoke(lease);
    }

    SimulatedWatcher watch(SimulatedStoreClient client, KeyRange range, long fromRevision, WatchListener listener) {
        SimulatedWatcher watcher = new SimulatedWatcher(time, random, client, range, fromRevision, listener, this);
        if (fromRevision <= compacted) {
            watcher.fail("the required revision has been compacted");
        } else {
            watchers.add(watcher);
            history.tailMap(fromRevision).forEach(watcher::report);
        }
        return watcher;
    }

    void forget(SimulatedWatcher watcher) {
        watchers.remove(watcher);
    }
}
