/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Curves;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The median stopping rule (Golovin et al., Google Vizier: A Service for Black-Box Optimization, KDD 2017, section 3.2.2): a
 * trial ends at a step if its best loss by then is worse than the median of the other trials' mean losses by then. Vizier
 * compares with trials that have ended; here all count that have come as far, so that the rule works from the first trials on.
 *
 * @param grace first step that is judged, from 0
 * @param least how many other trials must have come as far, from 1
 * @param every steps between two that are judged, from 1
 */
public record MedianRule(long grace, int least, long every) implements StoppingRule {
    public MedianRule {
        Checks.atLeast("grace", grace, 0);
        Checks.atLeast("least", least, 1);
        Checks.atLeast("every", every, 1);
    }

    @Override
    public long nextJudged(int trial, long step) {
        return step < grace ? grace : grace + ((step - grace) / every + 1) * every;
    }

    @Override
    public boolean goesOn(int trial, long step, Curves known) {
        double[] means = known.byTrial().entrySet().stream()
                .filter(entry -> entry.getKey() != trial)
                .map(Map.Entry::getValue)
                .filter(other -> other.at(step).isPresent())
                .map(other -> other.mean(step))
                .flatMapToDouble(OptionalDouble::stream)
                .sorted()
                .toArray();
        Curve own = known.of(trial);
        return step < grace || means.length < least || own.best(step).orElseThrow() <= median(means);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2;
    }
}
