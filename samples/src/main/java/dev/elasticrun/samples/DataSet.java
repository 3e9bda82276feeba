/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.ArrayList;
import java.util.List;

/**
 * Labelled rows in file order. Immutable by convention: nobody writes into the arrays.
 *
 * @param features one array per row, all of the same length
 * @param labels class of each row, 0 or 1
 */
record DataSet(double[][] features, int[] labels) {
    /** Every row whose index is a multiple of this is held out. */
    private static final int HELD_OUT_STRIDE = 5;

    DataSet {
        if (features.length == 0 || features.length != labels.length) {
            throw new IllegalArgumentException("labels: " + labels.length + " (expected: one for each of "
                    + features.length + " rows, at least 1)");
        }
    }

    /** Rows to learn from and rows to be judged on. */
    record Split(DataSet training, DataSet heldOut) {}

    int rows() {
        return features.length;
    }

    int width() {
        return features[0].length;
    }

    /**
     * Holds out every fifth row and standardises both parts with the mean and deviation of the training part alone. Every
     * worker computes the same split from the same file, so nothing has to be sent.
     */
    Split split() {
        List<Integer> training = new ArrayList<>();
        List<Integer> heldOut = new ArrayList<>();
        for (int row = 0; row < rows(); row++) {
            (row % HELD_OUT_STRIDE == 0 ? heldOut : training).add(row);
        }
        if (training.isEmpty()) {
            throw new IllegalArgumentException("rows: " + rows() + " (expected: >= 2, one is held out)");
        }
        DataSet learned = select(training);
        Standardiser scale = Standardiser.of(learned.features);
        return new Split(learned.scaled(scale), select(heldOut).scaled(scale));
    }

    private DataSet select(List<Integer> rows) {
        return new DataSet(
                rows.stream().map(row -> features[row]).toArray(double[][]::new),
                rows.stream().mapToInt(row -> labels[row]).toArray());
    }

    private DataSet scaled(Standardiser scale) {
        double[][] scaled = new double[rows()][];
        for (int row = 0; row < rows(); row++) {
            scaled[row] = scale.apply(features[row]);
        }
        return new DataSet(scaled, labels);
    }
}
