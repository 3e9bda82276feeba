/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/** Shifts and scales each column to mean 0 and deviation 1 as measured on the rows it was made from. */
final class Standardiser {
    private final double[] means;
    private final double[] deviations;

    private Standardiser(double[] means, double[] deviations) {
        this.means = means;
        this.deviations = deviations;
    }

    static Standardiser of(double[][] rows) {
        int width = rows[0].length;
        double[] means = new double[width];
        double[] deviations = new double[width];
        for (int column = 0; column < width; column++) {
            double sum = 0;
            for (double[] row : rows) {
                sum += row[column];
            }
            double mean = sum / rows.length;
            double squares = 0;
            for (double[] row : rows) {
                squares += (row[column] - mean) * (row[column] - mean);
            }
            double deviation = Math.sqrt(squares / rows.length);
            means[column] = mean;
            // A constant column carries nothing: it becomes 0 instead of a division by zero.
            deviations[column] = deviation > 0 ? deviation : 1;
        }
        return new Standardiser(means, deviations);
    }

    double[] apply(double[] row) {
        double[] scaled = new double[row.length];
        for (int column = 0; column < row.length; column++) {
            scaled[column] = (row[column] - means[column]) / deviations[column];
        }
        return scaled;
    }
}
