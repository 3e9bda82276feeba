/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Leases under a clock that the test moves. */
final class EtcdStateTest {
    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final ByteString KEY = ByteString.copyFromUtf8("a");

    private final EtcdState state = new EtcdState(1, 2, 0, () -> true);
    private long now;

    @Test
    void tick_leaseNotRenewed_endsItWithItsKeysAtItsTime() {
        List<Change> changes = new ArrayList<>();
        state.addListener(changes::addAll);
        LeaseTable.Lease lease = grantWithKey(3);

        runUntil(3 * SECOND - PERIOD);
        assertThat(state.map().get(KEY)).isNotNull();
        runUntil(3 * SECOND);

        assertThat(state.map().get(KEY)).isNull();
        assertThat(state.leases().find(lease.id())).isNull();
        assertThat(changes).hasSize(2);
        assertThat(changes.get(1).after()).isNull();
    }

    @Test
    void tick_leaseRenewed_keepsIt() {
        LeaseTable.Lease lease = grantWithKey(3);

        for (int i = 1; i <= 10; i++) {
            runUntil(i * 2L * SECOND);
            state.leases().renew(lease, now);
        }

        assertThat(state.map().get(KEY)).isNotNull();
        assertThat(lease.remainingSeconds(now)).isEqualTo(3);
    }

    @Test
    void tick_lateByMoreThanAThird_givesEveryLeaseItsWholeTimeAgain() {
        LeaseTable.Lease lease = grantWithKey(3);
        runUntil(SECOND);

        now += 60 * SECOND;
        state.tick(now, PERIOD);

        assertThat(state.leases().find(lease.id())).isNotNull();
        runUntil(now + 3 * SECOND - PERIOD);
        assertThat(state.map().get(KEY)).isNotNull();
        runUntil(now + PERIOD);
        assertThat(state.map().get(KEY)).isNull();
    }

    @Test
    void tick_lateByLess_endsLeasesOnTime() {
        grantWithKey(3);
        runUntil(2 * SECOND + SECOND / 2);

        now += SECOND * 9 / 10;
        state.tick(now, PERIOD);

        assertThat(state.map().get(KEY)).isNull();
    }

    @Test
    void put_withoutTheLease_freesTheKey() {
        LeaseTable.Lease lease = grantWithKey(3);
        state.map().put(KEY, KEY, 0);
        state.commit();

        runUntil(5 * SECOND);

        assertThat(state.map().get(KEY)).isNotNull();
        assertThat(state.leases().find(lease.id())).isNull();
    }

    @Test
    void grant_tooShort_getsTheMinimum() {
        assertThat(state.leases().grant(0, 1, now).ttlSeconds()).isEqualTo(LeaseTable.MIN_TTL_SECONDS);
    }

    @Test
    void grant_sameIdTwice_isRefused() {
        state.leases().grant(7, 5, now);

        assertThatThrownBy(() -> state.leases().grant(7, 5, now)).hasMessageContaining("lease already exists");
    }

    @Test
    void access_fromAnotherThread_isRefused() {
        EtcdState foreign = new EtcdState(1, 2, 0, () -> false);

        assertThatThrownBy(foreign::map).isInstanceOf(IllegalStateException.class);
    }

    private LeaseTable.Lease grantWithKey(long seconds) {
        LeaseTable.Lease lease = state.leases().grant(0, seconds, now);
        state.map().put(KEY, KEY, lease.id());
        state.commit();
        return lease;
    }

    private void runUntil(long end) {
        while (now < end) {
            now += PERIOD;
            state.tick(now, PERIOD);
        }
    }
}
