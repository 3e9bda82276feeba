/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

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
