/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.util.List;

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

    boolean isClassification() {
        return this == BINARY || this == MULTICLASS;
    }
}
