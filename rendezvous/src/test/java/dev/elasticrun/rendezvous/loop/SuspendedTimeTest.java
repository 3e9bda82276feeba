/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SuspendedTimeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long COARSE = 10_000_000L;

    private final SuspendedTime suspended = new SuspendedTime();

    @Test
    void read_clocksThatRunTogether_isNothing() {
        Random random = new Random(1);
        suspended.begin(8 * SECOND, 5 * SECOND);
        for (long now = 5 * SECOND; now < 100 * SECOND; now += SECOND / 7) {
            long counting = (now + 3 * SECOND) / COARSE * COARSE;
            assertThat(suspended.read(counting, now + random.nextInt(1_000_000)))
                    .isZero();
        }
    }

    @Test
    void read_afterASuspension_isItsTime() {
        suspended.begin(10 * SECOND, 10 * SECOND);
        assertThat(suspended.read(71 * SECOND, 11 * SECOND)).isEqualTo(60 * SECOND);
        assertThat(suspended.read(72 * SECOND, 12 * SECOND)).isEqualTo(60 * SECOND);
        assertThat(suspended.read(75 * SECOND, 13 * SECOND)).isEqualTo(62 * SECOND);
        assertThat(suspended.nanos()).isEqualTo(62 * SECOND);
    }

    @Test
    void read_heldUpBetweenTheClocks_isNotASuspension() {
        suspended.begin(10 * SECOND, 10 * SECOND);
        assertThat(suspended.read(11 * SECOND, 15 * SECOND)).isZero();
        assertThat(suspended.read(16 * SECOND, 16 * SECOND)).isZero();
    }
}
