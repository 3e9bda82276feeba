/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.Map;

/**
 * How one trial ended, here or as published.
 *
 * @param seconds from the start of the processes until the model is there
 * @param logLoss of the rows that were held out
 * @param error share of rows that were put into the wrong class: of those held out here, of the training as published
 * @param recovery seconds without a boosting round when workers were killed, above those of a usual one; NaN = not known
 * @param later the longest such time after that, in which others may have joined
 */
record Outcome(Trial trial, double seconds, double logLoss, double error, double recovery, double later) {
    private static final int FIELDS = 6;

    /**
     * The elastic training of XGBoost-Ray ("Elastic Training" in its documentation and its announcement, 2021): 30 million
     * rows of 500 features, 300 rounds; one run for each.
     */
    private static final Map<String, double[]> PUBLISHED = Map.ofEntries(
            Map.entry("baseline", new double[] {1441.44, 0.405359, 0.132591}),
            Map.entry("fewer1", new double[] {1227.45, 0.406041, 0.133103}),
            Map.entry("fewer2", new double[] {1249.45, 0.405873, 0.132885}),
            Map.entry("fewer3", new double[] {1291.54, 0.405081, 0.132205}),
            Map.entry("nonelastic1", new double[] {2205.95, 0.405618, 0.132754}),
            Map.entry("nonelastic2", new double[] {2226.96, 0.405076, 0.132403}),
            Map.entry("nonelastic3", new double[] {2033.94, 0.405618, 0.132754}),
            Map.entry("elastic1", new double[] {1231.58, 0.40556, 0.1327}),
            Map.entry("elastic2", new double[] {1197.55, 0.405885, 0.132655}),
            Map.entry("elastic3", new double[] {1259.37, 0.405487, 0.132481}));

    static Outcome published(Trial trial) {
        double[] values = PUBLISHED.getOrDefault(trial.toString(), new double[0]);
        return new Outcome(trial, values[0], values[1], values[2], Double.NaN, Double.NaN);
    }

    /** A line of a file that is kept between turns. */
    String line() {
        return String.join(
                " ",
                trial.toString(),
                Double.toString(seconds),
                Double.toString(logLoss),
                Double.toString(error),
                Double.toString(recovery),
                Double.toString(later));
    }

    static Outcome parse(String line) {
        String[] fields = line.split(" ", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(
                    "outcome: '" + line + "' (expected: trial seconds logloss error recovery later)");
        }
        return new Outcome(
                Trial.parse(fields[0]).get(0),
                Double.parseDouble(fields[1]),
                Double.parseDouble(fields[2]),
                Double.parseDouble(fields[3]),
                Double.parseDouble(fields[4]),
                Double.parseDouble(fields[5]));
    }
}
