/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * What is predicted of each row.
 *
 * @param hasLeaves whether there is a column with the leaf of each tree
 * @param hasContributions whether there is a column with what each feature, and the bias, add to the margin
 */
record Predicted(Task task, boolean hasLeaves, boolean hasContributions) implements Serializable {
    private static final int ALL_TREES = 0;
    private static final float[][] NONE = {};

    /** Of each row of a matrix the columns that {@link ColumnParams#withPredictions} adds, in their order. */
    List<Object[]> of(Booster booster, DMatrix matrix) throws XGBoostError {
        float[][] values = booster.predict(matrix);
        float[][] margins = task.isClassification() ? booster.predict(matrix, true) : values;
        float[][] leaves = hasLeaves ? booster.predictLeaf(matrix, ALL_TREES) : NONE;
        float[][] contributions = hasContributions ? booster.predictContrib(matrix, ALL_TREES) : NONE;
        List<Object[]> rows = new ArrayList<>(values.length);
        for (int row = 0; row < values.length; row++) {
            List<Object> columns = new ArrayList<>();
            task.predictions(values[row], margins[row], columns::add);
            if (hasLeaves) {
                columns.add(leaves[row]);
            }
            if (hasContributions) {
                columns.add(contributions[row]);
            }
            rows.add(columns.toArray());
        }
        return rows;
    }
}
