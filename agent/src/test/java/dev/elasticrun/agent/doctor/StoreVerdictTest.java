/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.StoreFacts;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StoreVerdictTest {
    private static final LeaseTimes LEASE = LeaseTimes.of(Duration.ofSeconds(3));
    private static final long MILLI = 1_000_000;

    private static StoreProbe.Answer answer(Latencies writes, StoreFacts facts) {
        return new StoreProbe.Answer(Optional.of(facts), Optional.of(writes), "");
    }

    private static StoreFacts facts(long allocated, String... alarms) {
        return new StoreFacts("3.4.23", allocated, allocated / 2, List.of(alarms));
    }

    @Test
    void store_thatAnswers_hasItsNameAndVersion() {
        List<Check> checks =
                StoreVerdict.of("etcd at a:1", answer(new Latencies(50, MILLI, 2 * MILLI), facts(20 << 20)), LEASE);

        assertThat(checks)
                .containsExactly(
                        Check.ok("store", "etcd at a:1, version 3.4.23"),
                        Check.ok("writes of the store", "p50 1.00 ms, p99 2.00 ms of 50"),
                        Check.ok("space of the store", "10.0 MiB of 20.0 MiB in use, no alarm"));
    }

    @ParameterizedTest
    @CsvSource({"1, 100, OK", "1, 101, WARNING", "499, 600, WARNING", "500, 600, ERROR"})
    void writes_areComparedWithHeartbeats(long p50, long p99, Health expected) {
        List<Check> checks =
                StoreVerdict.of("etcd", answer(new Latencies(50, p50 * MILLI, p99 * MILLI), facts(1)), LEASE);

        assertThat(checks.get(1).health()).isEqualTo(expected);
    }

    @Test
    void space_withAnAlarm_isAnError() {
        Check check = StoreVerdict.of("etcd", answer(new Latencies(1, 1, 1), facts(1, "NOSPACE")), LEASE)
                .get(2);

        assertThat(check.health()).isEqualTo(Health.ERROR);
        assertThat(check.found()).endsWith("alarms NOSPACE");
    }

    @Test
    void space_nearTheUsualQuota_isAWarning() {
        Check check = StoreVerdict.of("etcd", answer(new Latencies(1, 1, 1), facts(1_900L << 20)), LEASE)
                .get(2);

        assertThat(check.health()).isEqualTo(Health.WARNING);
    }

    @Test
    void store_thatDoesNotAnswer_isOneError() {
        List<Check> checks = StoreVerdict.of(
                "etcd at a:1", new StoreProbe.Answer(Optional.empty(), Optional.empty(), "away"), LEASE);

        assertThat(checks).singleElement().satisfies(check -> {
            assertThat(check.health()).isEqualTo(Health.ERROR);
            assertThat(check.found()).isEqualTo("etcd at a:1: away");
        });
    }

    @Test
    void latencies_ofFew_haveTheLongestAsP99() {
        assertThat(Latencies.of(5, 1, 4, 2, 3)).isEqualTo(new Latencies(5, 3, 5));
    }
}
