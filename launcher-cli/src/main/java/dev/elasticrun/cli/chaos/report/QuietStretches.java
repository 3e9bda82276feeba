/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The stretches of a storm that are far from faults, with all workers at work. Pure. */
final class QuietStretches {
    /** Until then what was lost is replaced, on a machine that is not too small, and new JVMs have compiled most. */
    static final int AFTER_SECONDS = 8;

    private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(AFTER_SECONDS);

    private final RunRecord run;
    private final int fullSize;
    private final long[] faults;

    /** @param fullSize workers of a round in which none is missing */
    QuietStretches(RunRecord run, int fullSize) {
        this.run = run;
        this.fullSize = fullSize;
        this.faults = run.faults().stream()
                .filter(Fault::isInjected)
                .mapToLong(Fault::nanos)
                .sorted()
                .toArray();
    }

    /** The samples of each stretch at which the counter had just changed, in the order of their times. */
    Collection<List<Sample>> of(StepCounter counter) {
        Map<Integer, List<Sample>> byFault = new TreeMap<>();
        RunRecord.Times times = run.times();
        for (Sample sample : counter.changes(run.samples(times.workNanos(), times.endNanos()))) {
            int before = faultsUntil(sample.nanos());
            boolean isFar = before == 0 || sample.nanos() - faults[before - 1] >= AFTER_NANOS;
            if (sample.nanos() >= times.stormNanos() && isFar && sample.worldSize() == fullSize) {
                byFault.computeIfAbsent(before, none -> new ArrayList<>()).add(sample);
            }
        }
        return byFault.values();
    }

    private int faultsUntil(long nanos) {
        int until = 0;
        while (until < faults.length && faults[until] <= nanos) {
            until++;
        }
        return until;
    }
}
