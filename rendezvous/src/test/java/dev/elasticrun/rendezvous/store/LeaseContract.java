/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leases and what becomes of the keys that are bound to them. */
abstract class LeaseContract extends StoreContract {
    /** The shortest that etcd grants. */
    static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    @Test
    void lease_ofABoundKey_isShownAndMayBeDropped() {
        long lease = get(store().grantLease(SHORT_LEASE));
        putLeased("a", lease);
        assertThat(only("a").leaseId()).isEqualTo(lease);

        put("a", "free");
        get(store().revokeLease(lease));

        assertThat(only("a").leaseId()).isZero();
    }

    @Test
    void lease_notRenewed_takesItsKeysWithIt() {
        RecordingWatchListener listener = new RecordingWatchListener();
        long lease = get(store().grantLease(SHORT_LEASE));
        putLeased("a", lease);
        long revision = putLeased("b", lease);
        put("free", "1");
        long grantedNanos = backend().nowNanos();

        try (Watch watch = store().watch(all(), revision + 2, listener)) {
            assertThat(watch).isNotNull();
            awaitEvents(listener, 2);
        }

        assertThat(backend().nowNanos() - grantedNanos)
                .isGreaterThan(SHORT_LEASE.dividedBy(2).toNanos());
        assertThat(listener.shown()).containsExactly("-" + key("a"), "-" + key("b"));
        assertThat(listener.revisions()).hasSize(1);
        assertThat(keys(get(store().range(all())))).containsExactly("free");
        assertThat(get(store().renewLease(lease))).isFalse();
        assertThatThrownBy(() -> putLeased("c", lease))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("lease not found");
    }

    @Test
    void lease_renewed_livesOn() {
        long lease = get(store().grantLease(SHORT_LEASE));
        putLeased("a", lease);
        long endNanos = backend().nowNanos() + SHORT_LEASE.multipliedBy(2).toNanos();

        while (backend().nowNanos() - endNanos < 0) {
            assertThat(get(store().renewLease(lease))).isTrue();
            long nextNanos = backend().nowNanos() + Duration.ofMillis(300).toNanos();
            backend().until(Duration.ofSeconds(5), () -> backend().nowNanos() - nextNanos >= 0);
        }

        assertThat(only("a").leaseId()).isEqualTo(lease);
        get(store().revokeLease(lease));
    }

    @Test
    void lease_revoked_takesItsKeysAtOnce() {
        long lease = get(store().grantLease(Duration.ofSeconds(60)));
        putLeased("a", lease);

        get(store().revokeLease(lease));

        assertThat(entries("a")).isEmpty();
        assertThat(get(store().renewLease(lease))).isFalse();
        get(store().revokeLease(lease));
    }

    @Test
    void lease_ofSomeAge_reportsItWithinASecond() {
        long beforeNanos = backend().nowNanos();
        long lease = get(store().grantLease(Duration.ofSeconds(60)));
        long grantedNanos = backend().nowNanos();
        long lookNanos = grantedNanos + Duration.ofMillis(1300).toNanos();
        backend().until(Duration.ofSeconds(5), () -> backend().nowNanos() - lookNanos >= 0);

        long youngest = backend().nowNanos() - grantedNanos;
        Duration age = get(store().leaseAge(lease)).orElseThrow();
        long oldest = backend().nowNanos() - beforeNanos;

        assertThat(age.toNanos())
                .isGreaterThanOrEqualTo(youngest)
                .isLessThan(oldest + Duration.ofSeconds(1).toNanos());
        get(store().revokeLease(lease));
        assertThat(get(store().leaseAge(lease))).isEmpty();
    }

    @Test
    void lease_unknown_isNotRenewed() {
        assertThat(get(store().renewLease(0x7777_7777_7777L))).isFalse();
        assertThat(get(store().renewLease(0x7777_7777_7778L))).isFalse();
    }

    @Test
    void lease_manyRenewalsAtOnce_answersEach() {
        List<Long> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(get(store().grantLease(Duration.ofSeconds(30))));
        }
        get(store().revokeLease(leases.get(7)));

        List<CompletableFuture<Boolean>> renewals =
                leases.stream().map(store()::renewLease).toList();

        for (int i = 0; i < leases.size(); i++) {
            assertThat(get(renewals.get(i))).isEqualTo(i != 7);
        }
        leases.forEach(lease -> get(store().revokeLease(lease)));
    }
}
