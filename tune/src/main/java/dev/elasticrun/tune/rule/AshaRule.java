/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Curves;
import java.util.Arrays;
import java.util.Collection;

/**
 * Asynchronous successive halving (Li et al., A System for Massively Parallel Hyperparameter Tuning, MLSys 2020), in the form
 * that stops instead of pausing: at rungs {@code grace * reduction^k} a trial goes on if it is among the best of those that
 * have come to the rung by then, one of {@code reduction}, and at least the best one. So those that come first go on, and
 * nobody waits for others.
 *
 * @param grace first rung, in steps, from 1
 * @param reduction the share that goes on is 1 of this, from 2
 */
public record AshaRule(long grace, int reduction) implements StoppingRule {
    public AshaRule {
        Checks.atLeast("grace", grace, 1);
        Checks.atLeast("reduction", reduction, 2);
    }

    @Override
    public long nextJudged(int trial, long step) {
        long rung = grace;
        while (rung <= step) {
            if (rung > NEVER / reduction) {
                return NEVER;
            }
            rung *= reduction;
        }
        return rung;
    }

    @Override
    public boolean goesOn(int trial, long step, Curves known) {
        return goesOn(known.of(trial), step, known.byTrial().values());
    }

    /** @param compared all that are, the own one included */
    boolean goesOn(Curve own, long step, Collection<Curve> compared) {
        if (step < grace) {
            return true;
        }
        long rung = rung(step);
        double loss = own.at(rung).orElseThrow();
        double[] losses = compared.stream()
                .flatMapToDouble(other -> other.at(rung).stream())
                .toArray();
        long better = Arrays.stream(losses).filter(other -> other < loss).count();
        return better < Math.max(1, losses.length / reduction);
    }

    /** The last one at or before a step. */
    private long rung(long step) {
        long rung = grace;
        while (rung <= step / reduction) {
            rung *= reduction;
        }
        return rung;
    }
}
