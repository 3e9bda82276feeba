/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class CopyKeepersTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final CopyKeepers keepers = new CopyKeepers();

    @Test
    void admits_theFirstOnes_andAgainWheneverTheyAsk() {
        assertThat(keepers.admits("a", 2, 0)).isTrue();
        assertThat(keepers.admits("b", 2, 0)).isTrue();
        assertThat(keepers.admits("c", 2, 0)).isFalse();
        assertThat(keepers.admits("a", 2, SECOND)).isTrue();
        assertThat(keepers.known(SECOND)).containsExactly("a", "b");
    }

    @Test
    void admits_nobody_whereNoCopyIsWanted() {
        assertThat(keepers.admits("a", 1, 0)).isTrue();
        assertThat(keepers.admits("a", 0, SECOND)).isFalse();
    }

    @Test
    void admits_another_onceOneAsksNoMore() {
        keepers.admits("a", 1, 0);
        assertThat(keepers.admits("b", 1, 29 * SECOND)).isFalse();
        assertThat(keepers.admits("b", 1, 31 * SECOND)).isTrue();
        assertThat(keepers.admits("a", 1, 31 * SECOND)).isFalse();
    }

    @Test
    void served_slowly_isKeptForItsNextPause() {
        keepers.admits("a", 1, 0);
        keepers.served("a", 10 * SECOND, 10 * SECOND);
        assertThat(keepers.admits("b", 1, 239 * SECOND)).isFalse();
        assertThat(keepers.admits("b", 1, 241 * SECOND)).isTrue();
    }

    @Test
    void admits_acrossTheEndOfTheClock() {
        long start = Long.MAX_VALUE - SECOND;
        assertThat(keepers.admits("a", 1, start)).isTrue();
        assertThat(keepers.admits("b", 1, start + 2 * SECOND)).isFalse();
        assertThat(keepers.admits("b", 1, start + 31 * SECOND)).isTrue();
    }
}
