/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ml.dmlc.xgboost4j.java.DMatrix;
import org.junit.jupiter.api.Test;

/** Weights, margins and groups go to each matrix that is made. */
final class RowsTest {
    private static final Rows ROWS = Rows.dense(new float[] {1, 2, 3}, 1, Float.NaN, new float[] {0, 1, 2});

    @Test
    void weightsMarginsAndGroups_areInEveryMatrix() throws Exception {
        Rows rows = ROWS.withGroups(new int[] {2, 1})
                .withWeights(new float[] {5, 6})
                .withBaseMargins(new float[] {7, 8, 9});
        for (int time = 0; time < 2; time++) {
            DMatrix matrix = rows.toMatrix(1);
            assertThat(matrix.getWeight()).containsExactly(5, 6);
            assertThat(matrix.getBaseMargin()).containsExactly(7, 8, 9);
            // Where groups begin, and the end.
            assertThat(matrix.getGroup()).containsExactly(0, 2, 3);
            assertThat(matrix.getLabel()).containsExactly(0, 1, 2);
            matrix.dispose();
        }
        assertThat(rows.count()).isEqualTo(3);
    }

    @Test
    void noRows_haveNeither() throws Exception {
        Rows none = Rows.dense(new float[0], 4, Float.NaN, new float[0])
                .withWeights(new float[0])
                .withBaseMargins(new float[0])
                .withGroups(new int[0]);
        assertThat(none.toMatrix(4).rowNum()).isZero();
    }

    @Test
    void groupsOfOtherRows_areRefused() {
        assertThatThrownBy(() -> ROWS.withGroups(new int[] {2, 2}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("groups: of 4 rows (expected: of 3)");
    }

    @Test
    void marginsOfOtherRows_areRefused() {
        assertThatThrownBy(() -> ROWS.withBaseMargins(new float[] {1}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("margins: 1 (expected: 3, one for each row)");
    }
}
