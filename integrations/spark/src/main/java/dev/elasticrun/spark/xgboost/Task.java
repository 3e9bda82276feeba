/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;

/** What an objective of XGBoost predicts. */
enum Task {
    BINARY,
    MULTICLASS,
    REGRESSION,
    RANKING;

    /** Of regressions, by what precedes the colon. */
    private static final List<String> REGRESSIONS = List.of("reg", "count", "survival");

    /** @throws IllegalArgumentException naming an objective that has no place among Spark's columns */
    static Task of(String objective) {
        if (objective.equals("binary:logistic")) {
            return BINARY;
        }
        if (objective.equals("multi:softprob")) {
            return MULTICLASS;
        }
        String family = objective.substring(0, Math.max(0, objective.indexOf(':')));
        if (family.equals("rank")) {
            return RANKING;
        }
        if (REGRESSIONS.contains(family)) {
            return REGRESSION;
        }
        throw new IllegalArgumentException("objective: '" + objective
                + "' (expected: binary:logistic, multi:softprob, reg:*, count:*, survival:* or rank:*)");
    }

    /**
     * What columns have of one row, in their order: of classes the margins, the probabilities and the most probable one, else
     * one number.
     *
     * @param values as XGBoost predicts them
     * @param margins before they were made values
     */
    void predictions(float[] values, float[] margins, Consumer<Object> columns) {
        switch (this) {
            case BINARY -> {
                columns.accept(Vectors.dense(-margins[0], margins[0]));
                columns.accept(Vectors.dense(1 - (double) values[0], values[0]));
                columns.accept(values[0] > 0.5 ? 1.0 : 0.0);
            }
            case MULTICLASS -> {
                columns.accept(vector(margins));
                Vector probabilities = vector(values);
                columns.accept(probabilities);
                columns.accept((double) probabilities.argmax());
            }
            case REGRESSION, RANKING -> columns.accept((double) values[0]);
        }
    }

    private static Vector vector(float[] values) {
        double[] wide = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            wide[i] = values[i];
        }
        return Vectors.dense(wide);
    }

    boolean isClassification() {
        return this == BINARY || this == MULTICLASS;
    }
}
