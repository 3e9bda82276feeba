/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/**
 * Logistic regression by full-batch gradient descent, cut so that any number of workers computes the same thing: each sums
 * over its own shard, the sums are added up, and everybody applies the same total.
 */
final class LogisticModel {
    /** Pulls the weights to 0, so that a very long run still does well on rows it has not seen. */
    private static final double WEIGHT_DECAY = 0.001;

    /** The weights, then the bias. */
    private final double[] parameters;

    LogisticModel(int width) {
        parameters = new double[width + 1];
    }

    /** The live parameters: written by {@link #learn} and by a restore. */
    double[] parameters() {
        return parameters;
    }

    /** What one shard adds to a step: its summed gradient, its summed loss and its number of rows, in this order. */
    double[] sums(DataSet data, Shard shard) {
        double[] sums = new double[parameters.length + 2];
        for (int row = shard.rank(); row < data.rows(); row += shard.worldSize()) {
            double[] features = data.features()[row];
            double score = score(features);
            int label = data.labels()[row];
            double error = sigmoid(score) - label;
            for (int column = 0; column < features.length; column++) {
                sums[column] += error * features[column];
            }
            sums[features.length] += error;
            sums[parameters.length] += loss(score, label);
            sums[parameters.length + 1]++;
        }
        return sums;
    }

    /** Takes one step down the mean gradient of the added-up sums and returns the mean loss before that step. */
    double learn(double[] sums, double learningRate) {
        double rows = sums[parameters.length + 1];
        for (int index = 0; index < parameters.length; index++) {
            double decay = index < parameters.length - 1 ? WEIGHT_DECAY * parameters[index] : 0;
            parameters[index] -= learningRate * (sums[index] / rows + decay);
        }
        return sums[parameters.length] / rows;
    }

    /** Share of rows, 0 to 1, that are put into their own class. */
    double accuracy(DataSet data) {
        int right = 0;
        for (int row = 0; row < data.rows(); row++) {
            int predicted = score(data.features()[row]) > 0 ? 1 : 0;
            right += predicted == data.labels()[row] ? 1 : 0;
        }
        return (double) right / data.rows();
    }

    /** Mean loss over all rows. */
    double loss(DataSet data) {
        double[] sums = sums(data, Shard.WHOLE);
        return sums[parameters.length] / sums[parameters.length + 1];
    }

    private double score(double[] features) {
        int width = features.length;
        double score = parameters[width];
        for (int column = 0; column < width; column++) {
            score += parameters[column] * features[column];
        }
        return score;
    }

    private static double sigmoid(double score) {
        return 1 / (1 + Math.exp(-score));
    }

    /** Cross entropy straight from the score: stays finite where the probability rounds to 0 or 1. */
    private static double loss(double score, int label) {
        return Math.max(score, 0) - score * label + Math.log1p(Math.exp(-Math.abs(score)));
    }
}
