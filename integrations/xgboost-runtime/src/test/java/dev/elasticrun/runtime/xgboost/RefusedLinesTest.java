/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RefusedLinesTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void add_oftenInASecond_isCountedAndLoggedOnce() {
        RefusedLines lines = new RefusedLines("tracker");

        assertThat(lines.add("a", "noise", -SECOND)).isTrue();
        assertThat(lines.add("b", "noise", -1)).isFalse();
        assertThat(lines.add("c", "noise", 0)).isTrue();
        assertThat(lines.add("d", "noise", 1)).isFalse();

        assertThat(lines.count()).isEqualTo(4);
    }
}
