/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.Arrays;

/**
 * Rows with labels, as compressed sparse rows: what the constructors of XGBoost4J's DMatrix take. Immutable by convention:
 * nobody writes into the arrays.
 *
 * @param labels one for each row
 * @param rowHeaders one more than rows: row r has the values from {@code rowHeaders[r]} to before {@code rowHeaders[r + 1]}
 * @param columnIndices 0-based column of each value, ascending within a row; a column that is not there is missing
 * @param values finite numbers
 * @param columns number of columns, more than the highest index
 */
record LabelledRows(float[] labels, long[] rowHeaders, int[] columnIndices, float[] values, int columns) {

    int rows() {
        return labels.length;
    }

    /** The same rows in a wider table: shards of one file need not all have a value in its last columns. */
    LabelledRows withColumns(int wider) {
        if (wider < columns) {
            throw new IllegalArgumentException("columns: " + wider + " (expected: >= " + columns + ")");
        }
        return new LabelledRows(labels, rowHeaders, columnIndices, values, wider);
    }

    /** All values row by row, {@code rows() * columns()} of them, with NaN for what is missing. */
    float[] dense() {
        float[] dense = new float[Math.multiplyExact(rows(), columns)];
        Arrays.fill(dense, Float.NaN);
        for (int row = 0; row < rows(); row++) {
            for (int at = (int) rowHeaders[row]; at < rowHeaders[row + 1]; at++) {
                dense[row * columns + columnIndices[at]] = values[at];
            }
        }
        return dense;
    }
}
