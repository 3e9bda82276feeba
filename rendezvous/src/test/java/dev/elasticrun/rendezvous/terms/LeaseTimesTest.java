/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LeaseTimesTest {

    /** Workers look at their deadline every 250 ms at the latest. */
    @ParameterizedTest
    @CsvSource({"2000, 1700", "3000, 2700", "10000, 9000"})
    void fence_ofALease_leavesWorkersTimeToNotice(int ttlMillis, int fenceMillis) {
        assertThat(LeaseTimes.of(Duration.ofMillis(ttlMillis)).fence()).isEqualTo(Duration.ofMillis(fenceMillis));
    }
}
