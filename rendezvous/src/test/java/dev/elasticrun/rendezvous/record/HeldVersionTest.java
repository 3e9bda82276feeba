/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeldVersionTest {
    private static final HeldVersion GIVEN_UP = HeldVersion.of(0, 5, 18);
    private static final HeldVersion KEPT = HeldVersion.of(0, 6, 15);
    private static final HeldVersion LOST = HeldVersion.lostIn(7);

    @Test
    void compare_ofALaterWorld_isNewerWhateverTheVersion() {
        assertThat(HeldVersion.NONE).isLessThan(GIVEN_UP);
        assertThat(GIVEN_UP).isLessThan(KEPT);
        assertThat(KEPT).isLessThan(HeldVersion.of(0, 6, 16));
        assertThat(GIVEN_UP.orNewer(KEPT)).isEqualTo(KEPT);
        assertThat(KEPT.orNewer(GIVEN_UP)).isEqualTo(KEPT);
    }

    @Test
    void compare_afterALoss_isNewerThanAllBefore() {
        assertThat(KEPT).isLessThan(LOST);
        assertThat(LOST).isLessThan(HeldVersion.of(7, 7, 1));
        assertThat(HeldVersion.of(0, 9, 30)).isLessThan(HeldVersion.of(7, 0, 1));
    }
}
