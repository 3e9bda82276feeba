/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import java.util.Arrays;

/** Groups of rows, which are next to each other. Pure. */
final class RankedGroups {
    private RankedGroups() {}

    /** The number of rows of each, in their order. */
    static int[] sizes(long[] groups) {
        int[] sizes = new int[groups.length];
        int count = 0;
        for (int row = 0; row < groups.length; row++) {
            if (row == 0 || groups[row] != groups[row - 1]) {
                count++;
            }
            sizes[count - 1]++;
        }
        return Arrays.copyOf(sizes, count);
    }

    /**
     * The weight of each, which is that of its first row: XGBoost has one for a group.
     *
     * @param sizes of the groups
     * @param weights of the rows
     */
    static float[] weights(int[] sizes, float[] weights) {
        float[] first = new float[sizes.length];
        int row = 0;
        for (int group = 0; group < sizes.length; group++) {
            first[group] = weights[row];
            row += sizes[group];
        }
        return first;
    }
}
