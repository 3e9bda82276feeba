/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.Arrays;

/** Collects {@link LabelledRows}. */
final class RowBuilder {
    private float[] labels = new float[16];
    private long[] rowHeaders = new long[17];
    private int[] columnIndices = new int[256];
    private float[] values = new float[256];
    private int rows;
    private int length;
    private int columns;

    int rows() {
        return rows;
    }

    /** Number of columns so far. */
    int columns() {
        return columns;
    }

    /** Begins a row. */
    void start(float label) {
        if (rows == labels.length) {
            labels = Arrays.copyOf(labels, 2 * rows);
            rowHeaders = Arrays.copyOf(rowHeaders, 2 * rows + 1);
        }
        labels[rows] = label;
        rows++;
        rowHeaders[rows] = length;
    }

    /** Adds a value to the row that was begun last; its column is higher than those before. */
    void put(int column, float value) {
        if (length == values.length) {
            columnIndices = Arrays.copyOf(columnIndices, 2 * length);
            values = Arrays.copyOf(values, 2 * length);
        }
        columnIndices[length] = column;
        values[length] = value;
        length++;
        rowHeaders[rows] = length;
        widen(column + 1);
    }

    /** There are so many columns, also if the last ones have no values. */
    void widen(int least) {
        columns = Math.max(columns, least);
    }

    LabelledRows build() {
        return new LabelledRows(
                Arrays.copyOf(labels, rows),
                Arrays.copyOf(rowHeaders, rows + 1),
                Arrays.copyOf(columnIndices, length),
                Arrays.copyOf(values, length),
                columns);
    }
}
