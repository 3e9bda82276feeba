/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.util.Arrays;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * Rows in memory, of which XGBoost's matrix is made anew whenever a group is formed: a matrix that was made in another
 * group must not be used again beside new ones. Arrays are not copied and must not be changed.
 */
public final class Rows {
    private final int count;
    private final int columns;
    private final boolean isWide;
    private final Maker maker;

    /** Makes the matrix, with labels and whatever else belongs to it. Called within the group, once for each. */
    @FunctionalInterface
    public interface MatrixSource {
        DMatrix make() throws XGBoostError;
    }

    /** Creates the matrix with at least the given number of columns. */
    private interface Maker {
        DMatrix make(int columns) throws XGBoostError;
    }

    /** What a matrix has beside values and labels. */
    private interface Addition {
        void to(DMatrix matrix) throws XGBoostError;
    }

    private Rows(int count, int columns, boolean isWide, Maker maker) {
        if (count < 0 || columns < 0) {
            throw new IllegalArgumentException(
                    "rows: " + count + " of " + columns + " columns (expected: 0 or more of both)");
        }
        this.count = count;
        this.columns = columns;
        this.isWide = isWide;
        this.maker = maker;
    }

    /**
     * Any matrix.
     *
     * @param count rows that it has
     * @param columns columns that it has, on all ranks the same
     */
    public static Rows of(int count, int columns, MatrixSource source) {
        return new Rows(count, columns, false, all -> source.make());
    }

    /**
     * Rows with a value in each column.
     *
     * @param values row by row
     * @param missing the value that stands for none, often NaN
     * @param labels one for each row
     */
    public static Rows dense(float[] values, int columns, float missing, float[] labels) {
        if (columns < 1 || (long) labels.length * columns != values.length) {
            throw new IllegalArgumentException(
                    "values: " + values.length + " (expected: " + labels.length + " rows of " + columns + " columns)");
        }
        return new Rows(
                labels.length,
                columns,
                false,
                all -> labels.length == 0
                        ? noRows(all)
                        : labelled(new DMatrix(values, labels.length, columns, missing), labels));
    }

    /**
     * Rows with values in some columns. Parts may differ in the number of columns.
     *
     * @param starts for each row where its values begin, and the number of values at the end
     * @param indices of each value its column, from 0
     * @param columns number of columns, more than any index
     * @param labels one for each row
     */
    public static Rows sparse(long[] starts, int[] indices, float[] values, int columns, float[] labels) {
        if (starts.length != labels.length + 1
                || indices.length != values.length
                || starts[labels.length] != values.length) {
            throw new IllegalArgumentException("starts: " + starts.length + " of " + values.length + " values in "
                    + indices.length + " columns (expected: " + labels.length + " rows and the end)");
        }
        for (int index : indices) {
            if (index < 0 || index >= columns) {
                throw new IllegalArgumentException("column: " + index + " (expected: 0 to " + (columns - 1) + ")");
            }
        }
        return new Rows(
                labels.length,
                columns,
                true,
                all -> labelled(new DMatrix(starts, indices, values, DMatrix.SparseType.CSR, all), labels));
    }

    /**
     * The same rows, each with a weight.
     *
     * @param weights one for each row, or for each group of rows that are ranked
     */
    public Rows withWeights(float[] weights) {
        return with(matrix -> matrix.setWeight(weights));
    }

    /**
     * The same rows, of which those of a group are ranked among each other.
     *
     * @param sizes numbers of rows in each group, which are next to each other
     */
    public Rows withGroups(int[] sizes) {
        long sum = Arrays.stream(sizes).asLongStream().sum();
        if (sum != count) {
            throw new IllegalArgumentException("groups: of " + sum + " rows (expected: of " + count + ")");
        }
        return with(matrix -> matrix.setGroup(sizes));
    }

    /**
     * The same rows, each with a margin that the training and predictions begin with, in place of the objective's base score.
     *
     * @param margins one for each row
     */
    public Rows withBaseMargins(float[] margins) {
        if (margins.length != count) {
            throw new IllegalArgumentException(
                    "margins: " + margins.length + " (expected: " + count + ", one for each row)");
        }
        return with(matrix -> matrix.setBaseMargin(margins));
    }

    private Rows with(Addition addition) {
        return new Rows(count, columns, isWide, all -> {
            DMatrix matrix = maker.make(all);
            if (count > 0) {
                addition.to(matrix);
            }
            return matrix;
        });
    }

    /** What a worker has that there is no part for. */
    static Rows none() {
        return new Rows(0, 0, true, Rows::noRows);
    }

    /** Number of rows. */
    public int count() {
        return count;
    }

    /** Number of columns of these rows. */
    public int columns() {
        return columns;
    }

    /** Whether other ranks' rows may have more columns. */
    boolean isWide() {
        return isWide;
    }

    /** @param all columns of all ranks */
    DMatrix toMatrix(int all) throws XGBoostError {
        return maker.make(all);
    }

    private static DMatrix noRows(int columns) throws XGBoostError {
        return new DMatrix(new long[] {0}, new int[0], new float[0], DMatrix.SparseType.CSR, columns);
    }

    private static DMatrix labelled(DMatrix matrix, float[] labels) throws XGBoostError {
        matrix.setLabel(labels);
        return matrix;
    }
}
