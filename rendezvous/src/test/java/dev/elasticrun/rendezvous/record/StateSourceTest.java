/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StateSourceTest {
    private static final StateSource SOURCE =
            new StateSource("node-1", "127.0.0.1", 7000, HeldVersion.of(3, 5, 40), false);

    @Test
    void isAheadOf_anEarlierWorldWithMoreVersions_isAhead() {
        assertThat(SOURCE.isAheadOf(4, 90)).isTrue();
    }

    @Test
    void isAheadOf_theSameWorld_countsVersions() {
        assertThat(SOURCE.isAheadOf(5, 39)).isTrue();
        assertThat(SOURCE.isAheadOf(5, 40)).isFalse();
    }

    @Test
    void isAheadOf_aLaterWorldWithFewerVersions_isBehind() {
        assertThat(SOURCE.isAheadOf(6, 12)).isFalse();
    }
}
