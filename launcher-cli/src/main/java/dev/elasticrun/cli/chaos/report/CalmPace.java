/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.agents.Sample;
import java.util.Collection;
import java.util.List;

/**
 * What a step takes without faults: the slope of a straight line through the counter over time, by least squares, so
 * that how old each sample is matters little. Of several stretches of time each has a line of its own, and all have the
 * same slope. Pure.
 *
 * @param stepSeconds 0 = not known
 * @param steps within the stretches
 * @param seconds the same
 * @param isOfStorm by quiet stretches of the storm, not by a time before it
 */
record CalmPace(StepCounter counter, double stepSeconds, long steps, double seconds, boolean isOfStorm) {
    static final CalmPace UNKNOWN = new CalmPace(StepCounter.NONE, 0, 0, 0, false);

    private static final double NANOS = 1e9;
    private static final int FEWEST = 3;
    /** Less shows nothing: how old the first and the last sample of a stretch are matters too much. */
    private static final double SHORTEST_SECONDS = 20;

    /** @param samples of a time without faults, in the order of their times */
    static CalmPace of(List<Sample> samples) {
        StepCounter counter = StepCounter.by(samples);
        List<Sample> changes = counter.changes(samples);
        if (counter == StepCounter.NONE || changes.size() < FEWEST) {
            return UNKNOWN;
        }
        // Of the first one it is not known when it changed.
        List<Sample> calm = changes.size() > FEWEST ? changes.subList(1, changes.size()) : changes;
        return fit(counter, List.of(calm), false);
    }

    /**
     * The pace of a run: by a time without faults, or by the quiet stretches of its storm if steps are faster there. A
     * program becomes faster as it runs, and what else a machine does may slow a short time: both would overstate
     * goodput.
     *
     * @param calm of a time without faults, in the order of their times
     */
    static CalmPace of(List<Sample> calm, RunRecord run) {
        CalmPace before = of(calm);
        if (before.stepSeconds <= 0) {
            return before;
        }
        int fullSize = calm.stream().mapToInt(Sample::worldSize).max().orElse(0);
        CalmPace within = fit(before.counter, new QuietStretches(run, fullSize).of(before.counter), true);
        boolean isFaster = within.stepSeconds > 0 && within.stepSeconds < before.stepSeconds;
        return isFaster && within.seconds >= SHORTEST_SECONDS ? within : before;
    }

    private static CalmPace fit(StepCounter counter, Collection<List<Sample>> stretches, boolean isOfStorm) {
        double products = 0;
        double squares = 0;
        long steps = 0;
        double seconds = 0;
        for (List<Sample> stretch : stretches) {
            Sample first = stretch.get(0);
            Sample last = stretch.get(stretch.size() - 1);
            double meanTime = stretch.stream()
                    .mapToDouble(sample -> secondsSince(first, sample))
                    .average()
                    .orElse(0);
            double meanCount = stretch.stream()
                    .mapToDouble(sample -> counter.of(sample) - counter.of(first))
                    .average()
                    .orElse(0);
            for (Sample sample : stretch) {
                double time = secondsSince(first, sample) - meanTime;
                products += time * (counter.of(sample) - counter.of(first) - meanCount);
                squares += time * time;
            }
            steps += counter.of(last) - counter.of(first);
            seconds += secondsSince(first, last);
        }
        return new CalmPace(counter, products <= 0 ? 0 : squares / products, steps, seconds, isOfStorm);
    }

    private static double secondsSince(Sample first, Sample sample) {
        return (sample.nanos() - first.nanos()) / NANOS;
    }
}
