/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Rows of a group are next to each other. */
final class RankedGroupsTest {
    private static final long[] GROUPS = {7, 7, 3, 9, 9, 9};

    @Test
    void sizes_areThoseOfGroupsInTheirOrder() {
        assertThat(RankedGroups.sizes(GROUPS)).containsExactly(2, 1, 3);
        assertThat(RankedGroups.sizes(new long[0])).isEmpty();
    }

    @Test
    void weights_areThoseOfTheFirstRows() {
        assertThat(RankedGroups.weights(RankedGroups.sizes(GROUPS), new float[] {1, 2, 3, 4, 5, 6}))
                .containsExactly(1, 3, 4);
        assertThat(RankedGroups.weights(new int[0], new float[0])).isEmpty();
    }
}
