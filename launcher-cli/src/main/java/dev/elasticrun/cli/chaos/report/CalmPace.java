/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.agents.Sample;
import java.util.List;

/**
 * What a step takes without faults: the slope of a straight line through the counter over time, by least squares, so
 * that how old each sample is matters little. Pure.
 *
 * @param stepSeconds 0 = not known
 * @param steps from the first sample to the last
 * @param seconds the same
 */
record CalmPace(StepCounter counter, double stepSeconds, long steps, double seconds) {
    private static final double NANOS = 1e9;
    private static final int FEWEST = 3;

    /** @param samples in the order of their times */
    static CalmPace of(List<Sample> samples) {
        StepCounter counter = StepCounter.by(samples);
        List<Sample> changes = counter.changes(samples);
        if (counter == StepCounter.NONE || changes.size() < FEWEST) {
            return new CalmPace(StepCounter.NONE, 0, 0, 0);
        }
        // Of the first one it is not known when it changed.
        List<Sample> calm = changes.size() > FEWEST ? changes.subList(1, changes.size()) : changes;
        Sample first = calm.get(0);
        Sample last = calm.get(calm.size() - 1);
        double meanTime = 0;
        double meanCount = 0;
        for (Sample sample : calm) {
            meanTime += (sample.nanos() - first.nanos()) / NANOS / calm.size();
            meanCount += (double) (counter.of(sample) - counter.of(first)) / calm.size();
        }
        double products = 0;
        double squares = 0;
        for (Sample sample : calm) {
            double time = (sample.nanos() - first.nanos()) / NANOS - meanTime;
            products += time * (counter.of(sample) - counter.of(first) - meanCount);
            squares += time * time;
        }
        double stepSeconds = products <= 0 ? 0 : squares / products;
        return new CalmPace(
                counter, stepSeconds, counter.of(last) - counter.of(first), (last.nanos() - first.nanos()) / NANOS);
    }
}
