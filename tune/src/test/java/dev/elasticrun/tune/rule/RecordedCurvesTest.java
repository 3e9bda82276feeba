/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Curves;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rules beside references that are as short as can be, on curves that XGBoost made: the evaluation's loss of 24 trials of 40 rounds
 * on the data of breast cancer, with six parameters at random. Trials step in turns.
 */
class RecordedCurvesTest {
    private final Map<Integer, Curve> trials = new TreeMap<>();
    private final Curves known = () -> trials;
    /** By trial, then by step. */
    private double[][] losses;

    /** What has been reported of each trial when one of them is judged. */
    private interface Reference {
        /** @param steps how many each trial has reported */
        boolean goesOn(int trial, int step, int[] steps);
    }

    @BeforeEach
    void read() throws IOException {
        try (InputStream file = Objects.requireNonNull(
                        RecordedCurvesTest.class.getResourceAsStream("/curves/breast-cancer.csv"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII))) {
            losses = lines.lines()
                    .map(line -> Arrays.stream(line.split(",", -1))
                            .mapToDouble(Double::parseDouble)
                            .toArray())
                    .toArray(double[][]::new);
        }
    }

    /** Returns how many steps were done of all. */
    private int compare(StoppingRule rule, Reference reference) {
        int[] steps = new int[losses.length];
        List<Integer> running = new ArrayList<>();
        IntStream.range(0, losses.length).forEach(trial -> {
            trials.put(trial, new Curve());
            running.add(trial);
        });
        while (!running.isEmpty()) {
            for (int trial : List.copyOf(running)) {
                int step = ++steps[trial];
                known.of(trial).add(step, losses[trial][step - 1]);
                boolean goesOn = true;
                if (rule.nextJudged(trial, step - 1) == step) {
                    goesOn = rule.goesOn(trial, step, known);
                    assertThat(goesOn)
                            .as("trial %d at step %d", trial, step)
                            .isEqualTo(reference.goesOn(trial, step, steps));
                }
                if (!goesOn || step == losses[trial].length) {
                    running.remove((Integer) trial);
                }
            }
        }
        return Arrays.stream(steps).sum();
    }

    private double mean(int trial, int step) {
        return Arrays.stream(losses[trial], 0, step).average().orElseThrow();
    }

    private double least(int trial, int step) {
        return Arrays.stream(losses[trial], 0, step).min().orElseThrow();
    }

    @Test
    void none_goesToTheEnd() {
        assertThat(compare(StoppingRule.NONE, (trial, step, steps) -> true)).isEqualTo(24 * 40);
    }

    @Test
    void earlyStopping() {
        int done = compare(new PatienceRule(3), (trial, step, steps) -> {
            int first = IntStream.range(0, step)
                    .filter(at -> losses[trial][at] == least(trial, step))
                    .findFirst()
                    .orElseThrow();
            return step - (first + 1) < 3;
        });

        assertThat(done).isEqualTo(906);
    }

    @Test
    void median() {
        int done = compare(new MedianRule(5, 3, 1), (trial, step, steps) -> {
            double[] others = IntStream.range(0, losses.length)
                    .filter(other -> other != trial && steps[other] >= step)
                    .mapToDouble(other -> mean(other, step))
                    .sorted()
                    .toArray();
            int half = others.length / 2;
            return others.length < 3
                    || least(trial, step)
                            <= (others.length % 2 == 1 ? others[half] : (others[half - 1] + others[half]) / 2);
        });

        assertThat(done).isEqualTo(855);
    }

    @Test
    void asha() {
        assertThat(compare(new AshaRule(4, 3), this::isInTheBestThird)).isEqualTo(348);
    }

    private boolean isInTheBestThird(int trial, int step, int[] steps) {
        return isInTheBestThird(
                trial, step, steps, IntStream.range(0, losses.length).toArray());
    }

    private boolean isInTheBestThird(int trial, int step, int[] steps, int[] compared) {
        double[] arrived = Arrays.stream(compared)
                .filter(other -> steps[other] >= step)
                .mapToDouble(other -> losses[other][step - 1])
                .sorted()
                .toArray();
        return losses[trial][step - 1] <= arrived[Math.max(1, arrived.length / 3) - 1];
    }

    @Test
    void hyperband_inEachOfItsBrackets() {
        HyperbandRule rule = new HyperbandRule(1, 3, 3);
        int done = compare(
                rule,
                (trial, step, steps) -> isInTheBestThird(
                        trial,
                        step,
                        steps,
                        IntStream.range(0, losses.length)
                                .filter(other -> rule.bracket(other) == rule.bracket(trial))
                                .toArray()));

        assertThat(done).isEqualTo(398);
    }
}
