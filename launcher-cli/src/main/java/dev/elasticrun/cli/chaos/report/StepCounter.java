/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.agents.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * What counts the work of a program: its checkpoints if it makes one with each step, which agents know exactly; else its
 * steps. A program that reports neither has no counter. Pure.
 */
enum StepCounter {
    STEPS("steps"),
    CHECKPOINTS("checkpoints"),
    NONE("nothing");

    /** Checkpoints that are nearly as many as steps are one for each. */
    private static final double NEARLY = 0.9;

    private final String text;

    StepCounter(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    long of(Sample sample) {
        return switch (this) {
            case STEPS -> sample.step();
            case CHECKPOINTS -> sample.version();
            case NONE -> 0;
        };
    }

    /**
     * The samples at which it had just changed. Agents read it now and then: how old the others are is not known. While
     * workers start, none reports it.
     *
     * @param samples in the order of their times; the first one with a value counts as a change
     */
    List<Sample> changes(List<Sample> samples) {
        List<Sample> changes = new ArrayList<>();
        long newest = 0;
        for (Sample sample : samples) {
            if (of(sample) > 0 && of(sample) != newest) {
                changes.add(sample);
                newest = of(sample);
            }
        }
        return changes;
    }

    /** By samples of a time without faults. */
    static StepCounter by(List<Sample> calm) {
        if (calm.isEmpty()) {
            return NONE;
        }
        Sample first = calm.get(0);
        Sample last = calm.get(calm.size() - 1);
        long steps = last.step() - first.step();
        long versions = last.version() - first.version();
        if (versions > 0 && versions >= NEARLY * steps) {
            return CHECKPOINTS;
        }
        return steps > 0 ? STEPS : NONE;
    }
}
