/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.nio.file.Path;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** What XGBoost4J makes of a model file, in this process and alone. */
public final class Predictions {
    private Predictions() {}

    /**
     * What a model is worth on rows that it has not seen.
     *
     * @param logLoss as XGBoost has it: the mean of minus the logarithm of what was given to the true class
     * @param error share of the rows that it puts into the wrong one of two classes
     */
    public record Score(double logLoss, double error) {}

    /** Of all rows that are held out. */
    public static Score score(Path model, Path libsvm, int holdOutEvery) {
        LabelledRows rows = new RowFile(libsvm, new LibsvmFormat(0), holdOutEvery).heldOut(Shard.WHOLE);
        return score(of(model, rows), rows.labels());
    }

    static Score score(float[] predicted, float[] labels) {
        double loss = 0;
        int wrong = 0;
        for (int row = 0; row < predicted.length; row++) {
            loss -= Math.log(labels[row] > 0.5 ? predicted[row] : 1.0 - predicted[row]);
            wrong += predicted[row] > 0.5 != labels[row] > 0.5 ? 1 : 0;
        }
        return new Score(loss / predicted.length, (double) wrong / predicted.length);
    }

    static float[] of(Path model, LabelledRows rows) {
        try {
            return predict(model, rows);
        } catch (XGBoostError e) {
            throw new IllegalStateException("cannot predict with " + model, e);
        }
    }

    private static float[] predict(Path model, LabelledRows rows) throws XGBoostError {
        Booster booster = XGBoost.loadModel(model.toString());
        DMatrix matrix = new DMatrix(
                rows.rowHeaders(), rows.columnIndices(), rows.values(), DMatrix.SparseType.CSR, rows.columns());
        try {
            float[][] predicted = booster.predict(matrix);
            float[] flat = new float[predicted.length];
            for (int row = 0; row < flat.length; row++) {
                flat[row] = predicted[row][0];
            }
            return flat;
        } finally {
            matrix.dispose();
            booster.dispose();
        }
    }
}
