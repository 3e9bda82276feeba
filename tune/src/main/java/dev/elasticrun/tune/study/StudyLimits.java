/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

/**
 * How much a study does.
 *
 * @param trials at most
 * @param concurrent trials that run at a time, at most
 * @param minAgents of a trial
 * @param maxAgents of a trial, once there is nothing else for agents to do
 * @param moves whether agents without work join the running trial that promises most
 * @param failures the study begins no trial after so many that failed
 */
public record StudyLimits(int trials, int concurrent, int minAgents, int maxAgents, boolean moves, int failures) {
    public StudyLimits {
        atLeast("trials", trials, 1);
        atLeast("concurrent", concurrent, 1);
        atLeast("nodes", minAgents, 1);
        atLeast("nodes", maxAgents, minAgents);
        atLeast("max-failures", failures, 1);
    }

    StudyLimits withFailures(int other) {
        return new StudyLimits(trials, concurrent, minAgents, maxAgents, moves, other);
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " or more)");
        }
    }
}
