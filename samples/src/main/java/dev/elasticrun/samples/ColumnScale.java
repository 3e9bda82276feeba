/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/**
 * Puts columns on one scale: mean 0, deviation 1. A value that is missing is taken for the mean.
 *
 * @param means of the values that are there
 * @param deviations 1 for a column whose values are all equal
 */
record ColumnScale(double[] means, double[] deviations) {

    /** What is computed once in the life of the run, by its name. */
    interface Once {
        void run(String name, double[] slots, Runnable prepare);
    }

    /** Of all rows of all shards, in two operations. */
    static ColumnScale of(ShardedRows rows, int columns, Once once) {
        double[] means = averages(
                rows, columns, (value, column) -> value, (slots, prepare) -> once.run("means", slots, prepare));
        double[] deviations = averages(
                rows,
                columns,
                (value, column) -> (value - means[column]) * (value - means[column]),
                (slots, prepare) -> once.run("variances", slots, prepare));
        for (int column = 0; column < columns; column++) {
            deviations[column] = deviations[column] > 0 ? Math.sqrt(deviations[column]) : 1;
        }
        return new ColumnScale(means, deviations);
    }

    double[] apply(double[] row) {
        double[] scaled = new double[row.length];
        for (int column = 0; column < row.length; column++) {
            scaled[column] = Double.isNaN(row[column]) ? 0 : (row[column] - means[column]) / deviations[column];
        }
        return scaled;
    }

    double[] undo(double[] scaled) {
        double[] row = new double[scaled.length];
        for (int column = 0; column < scaled.length; column++) {
            row[column] = scaled[column] * deviations[column] + means[column];
        }
        return row;
    }

    private interface Term {
        double of(double value, int column);
    }

    private static double[] averages(ShardedRows all, int columns, Term term, ShardedRows.Reduction reduction) {
        ShardedRows.Part part = (rows, sums) -> {
            for (double[] row : rows) {
                for (int column = 0; column < columns; column++) {
                    if (!Double.isNaN(row[column])) {
                        sums[column] += term.of(row[column], column);
                        sums[columns + column]++;
                    }
                }
            }
        };
        double[] sums = all.total(2 * columns, part, reduction);
        double[] averages = new double[columns];
        for (int column = 0; column < columns; column++) {
            averages[column] = sums[columns + column] > 0 ? sums[column] / sums[columns + column] : 0;
        }
        return averages;
    }
}
