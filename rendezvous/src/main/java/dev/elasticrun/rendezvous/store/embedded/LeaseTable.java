/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Leases, their keys and their ends on the caller's monotonic time. Owned by the server's thread. */
final class LeaseTable {
    /** What etcd answers with its default timing. */
    static final long MIN_TTL_SECONDS = 2;

    private static final long MAX_TTL_SECONDS = 9_000_000_000L;
    private static final int LATE_PART_OF_TTL = 3;

    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Lease> leases = new LinkedHashMap<>();

    /** One lease. */
    static final class Lease {
        private final long id;
        private final long ttlSeconds;
        private final SortedSet<ByteString> keys = new TreeSet<>(ByteString.unsignedLexicographicalComparator());
        private long endNanos;

        private Lease(long id, long ttlSeconds, long nowNanos) {
            this.id = id;
            this.ttlSeconds = ttlSeconds;
            this.endNanos = nowNanos + ttlNanos();
        }

        long id() {
            return id;
        }

        long ttlSeconds() {
            return ttlSeconds;
        }

        long remainingSeconds(long nowNanos) {
            return Math.max(0, TimeUnit.NANOSECONDS.toSeconds(endNanos - nowNanos));
        }

        List<ByteString> keys() {
            return List.copyOf(keys);
        }

        private long ttlNanos() {
            return TimeUnit.SECONDS.toNanos(ttlSeconds);
        }
    }

    /**
     * Makes a lease.
     *
     * @param wantedId 0 = any
     */
    Lease grant(long wantedId, long wantedSeconds, long nowNanos) {
        if (wantedSeconds > MAX_TTL_SECONDS) {
            throw EtcdErrors.leaseTooLong();
        }
        if (leases.containsKey(wantedId)) {
            throw EtcdErrors.leaseExists();
        }
        long id = wantedId;
        while (id == 0 || leases.containsKey(id)) {
            id = random.nextLong(1, Long.MAX_VALUE);
        }
        Lease lease = new Lease(id, Math.max(wantedSeconds, MIN_TTL_SECONDS), nowNanos);
        leases.put(id, lease);
        return lease;
    }

    @Nullable
    Lease find(long id) {
        return leases.get(id);
    }

    Lease require(long id) {
        Lease lease = leases.get(id);
        if (lease == null) {
            throw EtcdErrors.leaseNotFound();
        }
        return lease;
    }

    void renew(Lease lease, long nowNanos) {
        lease.endNanos = nowNanos + lease.ttlNanos();
    }

    void remove(Lease lease) {
        leases.remove(lease.id);
    }

    /** Leases whose time is over. */
    List<Lease> ended(long nowNanos) {
        return leases.values().stream()
                .filter(lease -> lease.endNanos - nowNanos <= 0)
                .toList();
    }

    /**
     * Makes up for time in which this process did not run and no client could renew. A lease that lost more than a
     * third of its time to live gets all of it again.
     */
    void forgive(long lateNanos, long nowNanos) {
        for (Lease lease : leases.values()) {
            if (lateNanos > lease.ttlNanos() / LATE_PART_OF_TTL) {
                renew(lease, nowNanos);
            }
        }
    }

    /** Follows keys from lease to lease. */
    void apply(Change change) {
        KeyValue before = change.before();
        KeyValue after = change.after();
        long from = before == null ? 0 : before.getLease();
        long to = after == null ? 0 : after.getLease();
        if (from != to) {
            Lease old = leases.get(from);
            if (old != null) {
                old.keys.remove(change.key());
            }
            Lease next = leases.get(to);
            if (next != null) {
                next.keys.add(change.key());
            }
        }
    }
}
