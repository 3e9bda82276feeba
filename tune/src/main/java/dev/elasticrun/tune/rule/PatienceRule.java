/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Curves;

/**
 * Early stopping of each trial by itself (Prechelt, Early Stopping - But When?, 1998, its class of a number of successive
 * steps): it ends once its loss has not become less for some steps.
 *
 * @param patience steps, from 1
 */
public record PatienceRule(long patience) implements StoppingRule {
    public PatienceRule {
        Checks.atLeast("patience", patience, 1);
    }

    @Override
    public long nextJudged(int trial, long step) {
        return Math.max(patience, step + 1);
    }

    @Override
    public boolean goesOn(int trial, long step, Curves known) {
        Curve own = known.of(trial);
        return step - own.bestStep().orElseThrow() < patience;
    }
}
