/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Curves;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RulesTest {
    private final Map<Integer, Curve> trials = new TreeMap<>();
    private final Curves known = () -> trials;

    @Test
    void asha_rungs() {
        StoppingRule rule = new AshaRule(4, 3);

        assertThat(LongStream.of(-1, 0, 3, 4, 5, 12, 35, 36).map(step -> rule.nextJudged(1, step)))
                .containsExactly(4L, 4L, 4L, 12L, 12L, 36L, 36L, 108L);
        assertThat(rule.nextJudged(1, Long.MAX_VALUE - 1)).isEqualTo(StoppingRule.NEVER);
    }

    /** A reference that knows all that came to each rung, sorts it, and takes the best third. */
    @Test
    void asha_decidesAsTheReference_andNeverEndsTheBest() {
        for (int seed = 0; seed < 300; seed++) {
            trials.clear();
            SplittableRandom random = new SplittableRandom(seed);
            StoppingRule rule = new AshaRule(1, 3);
            Map<Long, List<Double>> rungs = new TreeMap<>();
            Map<Integer, Long> steps = new TreeMap<>();
            IntStream.rangeClosed(1, 30).forEach(trial -> {
                trials.put(trial, new Curve());
                steps.put(trial, 0L);
            });
            while (!steps.isEmpty()) {
                List<Integer> running = new ArrayList<>(steps.keySet());
                int trial = running.get(random.nextInt(running.size()));
                long step = steps.merge(trial, 1L, Long::sum);
                double loss = random.nextDouble();
                known.of(trial).add(step, loss);
                boolean goesOn = true;
                if (step == 1 || step == 3 || step == 9) {
                    List<Double> recorded = rungs.computeIfAbsent(step, ignored -> new ArrayList<>());
                    recorded.add(loss);
                    List<Double> sorted = new ArrayList<>(recorded);
                    Collections.sort(sorted);
                    boolean expected = sorted.indexOf(loss) < Math.max(1, sorted.size() / 3);
                    goesOn = rule.goesOn(trial, step, known);
                    assertThat(goesOn).isEqualTo(expected);
                    assertThat(goesOn || loss > sorted.get(0)).isTrue();
                }
                if (!goesOn || step == 27) {
                    steps.remove(trial);
                }
            }
        }
    }

    @Test
    void asha_trialThatDoesNotReportTheRung_isComparedByItsNextStep() {
        report(1, 1, 0.5);
        report(2, 2, 0.4);
        report(3, 3, 0.6);

        StoppingRule rule = new AshaRule(1, 3);
        assertThat(rule.goesOn(2, 2, known)).isTrue();
        assertThat(rule.goesOn(1, 1, known)).isFalse();
        assertThat(rule.nextJudged(2, 2)).isEqualTo(3);
    }

    /** Hyperband's own example, R = 81 and reduction 3: its brackets begin with 81, 27, 9, 6 and 5 trials, in whole numbers. */
    @Test
    void hyperband_dealsTrialsOutInItsShares_andComparesWithinABracket() {
        HyperbandRule rule = new HyperbandRule(1, 3, 5);
        int count = 20_000;
        double[] shares = new double[5];
        IntStream.rangeClosed(1, count).forEach(trial -> shares[rule.bracket(trial)] += 1.0 / count);

        double[] parts = {81 / 5.0, 27 / 4.0, 9 / 3.0, 3 / 2.0, 1};
        double sum = LongStream.range(0, 5).mapToDouble(i -> parts[(int) i]).sum();
        for (int bracket = 0; bracket < 5; bracket++) {
            assertThat(shares[bracket]).isCloseTo(parts[bracket] / sum, within(0.001));
            int trial = first(rule, bracket);
            assertThat(rule.nextJudged(trial, -1)).isEqualTo((long) Math.pow(3, bracket));
        }
        int early = first(rule, 0);
        int late = first(rule, 1);
        report(early, 3, 0.1);
        report(late, 3, 0.9);
        assertThat(rule.goesOn(late, 3, known)).isTrue();
    }

    private static int first(HyperbandRule rule, int bracket) {
        return IntStream.iterate(1, trial -> trial + 1)
                .filter(trial -> rule.bracket(trial) == bracket)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void median_comparesTheBestLossWithTheOthersMeans() {
        StoppingRule rule = new MedianRule(2, 3, 1);
        for (int step = 1; step <= 3; step++) {
            report(1, step, 0.4);
            report(2, step, 0.6);
            report(3, step, 0.8);
        }
        report(4, 1, 0.7);
        assertThat(rule.goesOn(4, 1, known)).as("grace").isTrue();
        report(4, 2, 0.61);
        assertThat(rule.goesOn(4, 2, known)).as("worse than 0.6").isFalse();
        report(5, 1, 0.6);
        report(5, 2, 9);
        assertThat(rule.goesOn(5, 2, known))
                .as("its best counts, as good as the median")
                .isTrue();
        assertThat(new MedianRule(2, 5, 1).goesOn(4, 2, known))
                .as("too few others")
                .isTrue();
        assertThat(LongStream.of(-1, 1, 2, 5, 6, 7).map(step -> new MedianRule(2, 1, 4).nextJudged(1, step)))
                .containsExactly(2L, 2L, 6L, 6L, 10L, 10L);
    }

    @Test
    void patience_countsFromTheFirstBestStep() {
        StoppingRule rule = new PatienceRule(3);
        double[] losses = {5, 4, 4, 4, 4};
        for (int step = 1; step <= losses.length; step++) {
            report(1, step, losses[step - 1]);
            assertThat(rule.goesOn(1, step, known)).as("step %d", step).isEqualTo(step < 5);
        }
    }

    private void report(int trial, long step, double loss) {
        trials.computeIfAbsent(trial, ignored -> new Curve()).add(step, loss);
    }
}
