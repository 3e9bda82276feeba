/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.io.Serializable;

/**
 * What is predicted of each row, in the order of the columns.
 *
 * @param hasLeaves whether there is a column with the leaf of each tree
 * @param hasContributions whether there is a column with what each feature, and the bias, add to the margin
 */
record Predicted(Task task, boolean hasLeaves, boolean hasContributions) implements Serializable {
    /** Number of columns. */
    int columns() {
        return (task.isClassification() ? 3 : 1) + (hasLeaves ? 1 : 0) + (hasContributions ? 1 : 0);
    }
}
