/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import dev.elasticrun.tune.trial.TrialTable;
import java.time.Duration;

/**
 * What a study may use. Once it is used up no trial begins; those that run go on.
 *
 * @param time since the study began; a driver that continues it goes on counting
 * @param steps of all trials, as boosting rounds
 */
public record StudyBudget(Duration time, long steps) {
    /** More than any study takes. */
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    public static final StudyBudget NONE = new StudyBudget(FOR_EVER, Long.MAX_VALUE);

    public StudyBudget {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("budget: " + time + " (expected: above 0)");
        }
        if (steps < 1) {
            throw new IllegalArgumentException("budget-steps: " + steps + " (expected: 1 or more)");
        }
    }

    public StudyBudget withTime(Duration limit) {
        return new StudyBudget(limit, steps);
    }

    public StudyBudget withSteps(long limit) {
        return new StudyBudget(time, limit);
    }

    /** @param spent time since the study began */
    public boolean isUsedUp(Duration spent, TrialTable table) {
        return spent.compareTo(time) >= 0 || table.steps() >= steps;
    }
}
