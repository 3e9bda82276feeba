/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.search.Searcher;
import dev.elasticrun.tune.space.SearchSpace;
import java.util.regex.Pattern;

/**
 * A study.
 *
 * @param name letters, digits, {@code .}, {@code _} and {@code -}, at most 64
 * @param searcher chooses from the space
 */
public record StudyConfig(
        String name,
        Objective objective,
        StudyLimits limits,
        SearchSpace space,
        Searcher searcher,
        StoppingRule rule,
        TrialProgram program,
        StudyBudget budget) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** @throws IllegalArgumentException naming the value and what is expected */
    public StudyConfig {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "study: '" + name + "' (expected: letters, digits, '.', '_' and '-', at most 64)");
        }
        TrialProgram.checkPlaces("program", program.arguments(), space.names());
    }

    /** The same with another number of failures after which no trial begins. */
    public StudyConfig withFailures(int failures) {
        return new StudyConfig(name, objective, limits.withFailures(failures), space, searcher, rule, program, budget);
    }

    /**
     * The run of a trial.
     *
     * @param incarnation of this start of the study
     */
    public String runId(String incarnation, int trial) {
        return name + "-" + incarnation + "-" + trial;
    }

    /** Distinguishes studies that would not try, judge or run the same; one may go on after more failures than it began with. */
    public String definition() {
        return String.join(
                "\n",
                objective.toString(),
                limits.withFailures(limits.trials()).toString(),
                space.toString(),
                searcher.toString(),
                rule.toString(),
                program.toString());
    }
}
