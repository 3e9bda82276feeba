/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
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
 */
record TrainOptions(
        Path data, int steps, Duration stepTime, @Nullable Path hurry, double learningRate, int reportEvery) {
    static final int DEFAULT_STEPS = 400;
    static final double DEFAULT_LEARNING_RATE = 0.5;
    private static final int DEFAULT_STEP_MILLIS = 20;
    private static final int DEFAULT_REPORT_EVERY = 40;

    static final String USAGE =
            "train --data FILE [--steps N] [--step-millis N] [--hurry FILE] [--learning-rate X] [--report-every N]";

    static TrainOptions parse(List<String> arguments) {
        @Nullable Path data = null;
        int steps = DEFAULT_STEPS;
        int stepMillis = DEFAULT_STEP_MILLIS;
        @Nullable Path hurry = null;
        double learningRate = DEFAULT_LEARNING_RATE;
        int reportEvery = DEFAULT_REPORT_EVERY;
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            String name = equals < 0 ? argument : argument.substring(0, equals);
            String inline = equals < 0 ? null : argument.substring(equals + 1);
            switch (name) {
                case "--data" -> data = file(name, value(name, inline, rest), "the path of a CSV file");
                case "--steps" -> steps = wholeNumber(name, value(name, inline, rest), 1);
                case "--step-millis" -> stepMillis = wholeNumber(name, value(name, inline, rest), 0);
                case "--hurry" -> hurry = file(name, value(name, inline, rest), "the path of a file");
                case "--learning-rate" -> learningRate = positive(name, value(name, inline, rest));
                case "--report-every" -> reportEvery = wholeNumber(name, value(name, inline, rest), 1);
                default -> throw new UsageException("train: " + argument + " (expected: " + USAGE + ")");
            }
        }
        if (data == null) {
            throw new UsageException("--data: missing (expected: " + USAGE + ")");
        }
        return new TrainOptions(data, steps, Duration.ofMillis(stepMillis), hurry, learningRate, reportEvery);
    }

    private static String value(String name, @Nullable String inline, Iterator<String> rest) {
        if (inline != null) {
            return inline;
        }
        if (!rest.hasNext()) {
            throw new UsageException(name + ": nothing (expected: a value after it)");
        }
        return rest.next();
    }

    private static Path file(String name, String text, String expected) {
        if (text.isEmpty() || text.indexOf('\0') >= 0) {
            throw new UsageException(name + ": '" + text + "' (expected: " + expected + ")");
        }
        return Path.of(text);
    }

    private static int wholeNumber(String name, String text, int least) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers that are too small.
        }
        throw new UsageException(
                name + ": " + text + " (expected: a whole number from " + least + " to " + Integer.MAX_VALUE + ")");
    }

    private static double positive(String name, String text) {
        try {
            double value = Double.parseDouble(text);
            if (value > 0 && Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers out of range.
        }
        throw new UsageException(name + ": " + text + " (expected: a number greater than 0)");
    }
}
