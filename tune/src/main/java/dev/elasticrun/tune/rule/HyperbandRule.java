/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Curves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Brackets of successive halving, as in Hyperband (Li et al., Hyperband: A Novel Bandit-Based Approach to Hyperparameter
 * Optimization, JMLR 18, 2018), which BOHB (Falkner et al., ICML 2018) uses with a model-based search: trials are dealt out to
 * brackets whose first rung is later and later, so that those that start slowly have a bracket in which they live. Within a
 * bracket trials are judged as by {@link AshaRule}; bracket {@code s}, counted from the one with the latest first rung, gets
 * {@code reduction^s / (s + 1)} parts of the trials.
 */
public final class HyperbandRule implements StoppingRule {
    /** Its multiples are spread evenly between whole numbers, so that any run of trials is dealt out in the right shares. */
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final List<AshaRule> brackets = new ArrayList<>();
    private final double[] upTo;

    /**
     * @param grace first rung of the first bracket, in steps, from 1
     * @param reduction the share that goes on at a rung is 1 of this, from 2
     * @param count of brackets, from 1
     */
    public HyperbandRule(long grace, int reduction, int count) {
        Checks.atLeast("brackets", count, 1);
        upTo = new double[count];
        double sum = 0;
        long first = grace;
        for (int bracket = 0; bracket < count; bracket++) {
            brackets.add(new AshaRule(first, reduction));
            first = Math.multiplyExact(first, reduction);
            int halvings = count - 1 - bracket;
            sum += Math.pow(reduction, halvings) / (halvings + 1);
            upTo[bracket] = sum;
        }
        for (int bracket = 0; bracket < count; bracket++) {
            upTo[bracket] /= sum;
        }
    }

    /** That of a trial, from 0. */
    int bracket(int trial) {
        double place = trial * GOLDEN % 1;
        int bracket = 0;
        while (bracket < upTo.length - 1 && place >= upTo[bracket]) {
            bracket++;
        }
        return bracket;
    }

    @Override
    public long nextJudged(int trial, long step) {
        return brackets.get(bracket(trial)).nextJudged(trial, step);
    }

    @Override
    public boolean goesOn(int trial, long step, Curves known) {
        int bracket = bracket(trial);
        List<Curve> members = known.byTrial().entrySet().stream()
                .filter(entry -> bracket(entry.getKey()) == bracket)
                .map(Map.Entry::getValue)
                .toList();
        return brackets.get(bracket).goesOn(known.of(trial), step, members);
    }

    @Override
    public String toString() {
        return "HyperbandRule" + brackets;
    }
}
