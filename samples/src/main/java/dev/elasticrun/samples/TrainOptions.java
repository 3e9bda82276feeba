/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@code train}.
 *
 * @param data the CSV file
 * @param steps gradient steps, from 1
 * @param stepTime time that a step waits, in place of the computation of a larger model
 * @param hurry once this file exists no step waits; null = none
 * @param learningRate greater than 0
 * @param reportEvery steps between two lines of progress, from 1
 * @param stateMebibytes what the state has besides the model, in place of a larger model; 0 = nothing
 */
record TrainOptions(
        Path data,
        int steps,
        Duration stepTime,
        @Nullable Path hurry,
        double learningRate,
        int reportEvery,
        int stateMebibytes) {
    static final int DEFAULT_STEPS = 400;
    static final double DEFAULT_LEARNING_RATE = 0.5;
    private static final int DEFAULT_STEP_MILLIS = 20;
    private static final int DEFAULT_REPORT_EVERY = 40;

    static final String USAGE =
            "train --data FILE [--steps N] [--step-millis N] [--hurry FILE] [--learning-rate X] [--report-every N]"
                    + " [--state-mib N]";

    static TrainOptions parse(List<String> arguments) {
        @Nullable Path data = null;
        int steps = DEFAULT_STEPS;
        int stepMillis = DEFAULT_STEP_MILLIS;
        @Nullable Path hurry = null;
        double learningRate = DEFAULT_LEARNING_RATE;
        int reportEvery = DEFAULT_REPORT_EVERY;
        int stateMebibytes = 0;
        Arguments options = new Arguments("train", USAGE, arguments);
        while (options.hasNext()) {
            switch (options.next()) {
                case "--data" -> data = options.file("the path of a CSV file");
                case "--steps" -> steps = options.wholeNumber(1);
                case "--step-millis" -> stepMillis = options.wholeNumber(0);
                case "--hurry" -> hurry = options.file("the path of a file");
                case "--learning-rate" -> learningRate = options.positive();
                case "--report-every" -> reportEvery = options.wholeNumber(1);
                case "--state-mib" -> stateMebibytes = options.wholeNumber(0);
                default -> throw options.unknown();
            }
        }
        if (data == null) {
            throw options.missing("--data");
        }
        return new TrainOptions(
                data, steps, Duration.ofMillis(stepMillis), hurry, learningRate, reportEvery, stateMebibytes);
    }
}
