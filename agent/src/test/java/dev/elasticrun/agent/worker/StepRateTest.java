/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class StepRateTest {
    private static final long MILLI = 1_000_000L;

    private final StepRate rate = new StepRate();

    @Test
    void perSecond_oneLook_isNotKnown() {
        rate.observe(0, 10);

        assertThat(rate.perSecond()).isNegative();
    }

    @Test
    void perSecond_steady_isTheSlope() {
        looks(0, 100, 200, 4);

        assertThat(rate.perSecond()).isCloseTo(20, within(0.01));
    }

    @Test
    void perSecond_slowedDown_forgetsWhatIsOlderThanTheWindow() {
        looks(0, 100, 200, 20);
        looks(20_000, 100, 200, 1);

        assertThat(rate.perSecond()).isCloseTo(5, within(0.01));
    }

    @Test
    void perSecond_stoodStill_isZero() {
        looks(0, 50, 200, 4);
        looks(10_000, 60, 200, 0);

        assertThat(rate.perSecond()).isZero();
    }

    @Test
    void perSecond_afterARollback_beginsAnew() {
        looks(0, 20, 200, 4);
        rate.observe(4_200 * MILLI, 5);
        assertThat(rate.perSecond()).isNegative();

        rate.observe(5_200 * MILLI, 7);

        assertThat(rate.perSecond()).isCloseTo(2, within(0.01));
    }

    @Test
    void perSecond_askedSeldom_comparesWithTheLastLook() {
        rate.observe(0, 0);
        rate.observe(30_000 * MILLI, 300);
        rate.observe(60_000 * MILLI, 900);

        assertThat(rate.perSecond()).isCloseTo(20, within(0.01));
    }

    @Test
    void perSecond_reportedEvery400Steps_isKnownBetweenTheReports() {
        for (int second = 0; second <= 24; second++) {
            rate.observe(second * 1000L * MILLI, 400L * (1 + second / 8));
            if (second < 16) {
                assertThat(rate.perSecond()).as("after one report").isNegative();
            } else {
                assertThat(rate.perSecond()).isCloseTo(50, within(0.01));
            }
        }
    }

    @Test
    void perSecond_reportedSeldom_andThenNoMore_becomesZero() {
        for (int second = 0; second <= 16; second++) {
            rate.observe(second * 1000L * MILLI, 400L * (1 + second / 8));
        }
        rate.observe(24_000 * MILLI, 1200);
        assertThat(rate.perSecond()).isCloseTo(50, within(0.01));

        rate.observe(32_000 * MILLI, 1200);
        assertThat(rate.perSecond()).isCloseTo(25, within(0.01));

        rate.observe(60_000 * MILLI, 1200);
        assertThat(rate.perSecond()).isZero();
    }

    @Test
    void perSecond_afterAStartThatStood_isOfTheTimeSinceItGrew() {
        for (int look = 0; look <= 20; look++) {
            rate.observe(look * 500L * MILLI, 1528);
        }
        assertThat(rate.perSecond()).isNegative();
        for (int look = 1; look <= 4; look++) {
            rate.observe((10_000L + look * 500L) * MILLI, 1528L + 25L * look);
        }

        assertThat(rate.perSecond()).isCloseTo(50, within(0.01));
    }

    /** Every so many milliseconds the counter has grown by {@code steps}; it begins at that many a millisecond. */
    private void looks(long fromMillis, int times, long everyMillis, long steps) {
        for (int i = 1; i <= times; i++) {
            rate.observe((fromMillis + i * everyMillis) * MILLI, (fromMillis == 0 ? 0 : 2000) + i * steps);
        }
    }
}
