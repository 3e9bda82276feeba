/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a training went.
 *
 * @param metrics by name, as {@code train-logloss} and {@code eval-logloss}: the values after each boosting round; not to be
 *     changed
 */
public record TrainingSummary(Map<String, double[]> metrics) {
    public TrainingSummary {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /**
     * The values of one metric, after each round.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public double[] metric(String name) {
        double[] values = metrics.get(name);
        if (values == null) {
            throw new IllegalArgumentException("metric: " + name + " (expected: one of " + metrics.keySet() + ")");
        }
        return values;
    }
}
