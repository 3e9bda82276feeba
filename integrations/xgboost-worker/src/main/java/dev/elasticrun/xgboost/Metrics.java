/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The metrics that XGBoost returns for a model after a round. */
final class Metrics {
    private Metrics() {}

    /**
     * Reads a line as {@code [3] train-logloss:0.43 eval-logloss:0.44}, with tabs between its parts.
     *
     * @return values by name, in the order of the line
     */
    static Map<String, Double> parse(String line) {
        Map<String, Double> values = new LinkedHashMap<>();
        String[] parts = line.split("\t", -1);
        for (int i = 1; i < parts.length; i++) {
            int colon = parts[i].lastIndexOf(':');
            if (colon < 1) {
                throw bad(line);
            }
            values.put(
                    parts[i].substring(0, colon),
                    number(parts[i].substring(colon + 1).strip(), line));
        }
        if (values.isEmpty()) {
            throw bad(line);
        }
        return Collections.unmodifiableMap(values);
    }

    /** The native side writes what is no number as C does. */
    private static double number(String text, String line) {
        return switch (text) {
            case "nan", "-nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    throw bad(line);
                }
            }
        };
    }

    private static IllegalArgumentException bad(String line) {
        return new IllegalArgumentException(
                "evaluation: '" + line + "' (expected: a round, then name:value, with tabs between)");
    }
}
