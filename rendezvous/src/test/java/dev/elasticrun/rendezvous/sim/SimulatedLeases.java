/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Leases on virtual time. None ends while the store is down; those that are over end soon after it is back. */
final class SimulatedLeases {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final SimulatedTime time;
    private final BooleanSupplier down;
    private final LongConsumer onEnd;
    private final Map<Long, Lease> leases = new LinkedHashMap<>();
    private long nextLease = 100;

    private record Lease(long ttlNanos, long expiryNanos) {}

    SimulatedLeases(SimulatedTime time, BooleanSupplier down, LongConsumer onEnd) {
        this.time = time;
        this.down = down;
        this.onEnd = onEnd;
    }

    long grant(Duration ttl) {
        long lease = nextLease++;
        put(lease, ttl.toNanos());
        return lease;
    }

    boolean known(long lease) {
        return leases.containsKey(lease);
    }

    boolean renew(long lease) {
        Lease known = leases.get(lease);
        if (known != null) {
            put(lease, known.ttlNanos());
        }
        return known != null;
    }

    /** Of what is left stores count the whole seconds. */
    Optional<Duration> age(long lease) {
        return Optional.ofNullable(leases.get(lease)).map(known -> {
            long leftSeconds = Math.max(
                    0, Duration.ofNanos(known.expiryNanos() - time.nowNanos()).toSeconds());
            return Duration.ofNanos(known.ttlNanos()).minusSeconds(leftSeconds);
        });
    }

    void extendAll() {
        List.copyOf(leases.keySet()).forEach(this::renew);
    }

    /** Forgets them all, without an end. */
    void forget() {
        leases.clear();
    }

    void revoke(long lease) {
        if (leases.remove(lease) != null) {
            onEnd.accept(lease);
        }
    }

    private void put(long lease, long ttlNanos) {
        Lease granted = new Lease(ttlNanos, time.nowNanos() + ttlNanos);
        leases.put(lease, granted);
        time.after(Duration.ofNanos(ttlNanos), () -> expire(lease, granted));
    }

    private void expire(long lease, Lease granted) {
        if (!granted.equals(leases.get(lease))) {
            return;
        }
        if (down.getAsBoolean()) {
            time.after(LOOK_AGAIN, () -> expire(lease, granted));
        } else {
            time.note("store: lease " + lease + " expired");
            revoke(lease);
        }
    }
}
