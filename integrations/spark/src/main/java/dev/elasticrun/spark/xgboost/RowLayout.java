/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.io.Serializable;
import org.apache.spark.sql.Row;

/**
 * Where a row has what predictions need.
 *
 * @param indices places of the features, as {@link FeatureColumns#indices} gives them
 * @param margin name of the column of base margins; empty = none
 * @param marginIndex its place; -1 = none
 * @param missing the value of a feature that stands for none
 */
record RowLayout(FeatureColumns features, int[] indices, String margin, int marginIndex, float missing)
        implements Serializable {
    boolean hasMargins() {
        return marginIndex >= 0;
    }

    float[] featuresOf(Row row) {
        return features.of(row, indices);
    }

    /** @throws IllegalArgumentException naming the column, if the row has none */
    float marginOf(Row row) {
        if (row.isNullAt(marginIndex)) {
            throw new IllegalArgumentException(
                    "baseMarginCol: column " + margin + ": null (expected: a number in each row)");
        }
        return FeatureColumns.number(row.get(marginIndex));
    }
}
