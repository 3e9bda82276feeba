/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The stretches of a storm that are far from faults, with all workers at work. Pure. */
final class QuietStretches {
    /** Until then what was lost is replaced, on a machine that is not too small, and new JVMs have compiled most. */
    static final int AFTER_SECONDS = 8;

    private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(AFTER_SECONDS);

    private final RunRecord run;
    private final int fullSize;
    private final NavigableSet<Long> faults;

    /** @param fullSize workers of a round in which none is missing */
    QuietStretches(RunRecord run, int fullSize) {
        this.run = run;
        this.fullSize = fullSize;
        this.faults = run.faults().stream()
                .filter(Fault::isInjected)
                .map(Fault::nanos)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The samples of each stretch at which the counter had just changed, in the order of their times. */
    Collection<List<Sample>> of(StepCounter counter) {
        Map<Long, List<Sample>> byStart = new TreeMap<>();
        RunRecord.Times times = run.times();
        for (Sample sample : counter.changes(run.samples(times.workNanos(), times.endNanos()))) {
            Long fault = faults.floor(sample.nanos());
            boolean isFar = fault == null || sample.nanos() - fault >= AFTER_NANOS;
            if (sample.nanos() >= times.stormNanos() && isFar && sample.worldSize() == fullSize) {
                byStart.computeIfAbsent(fault == null ? times.stormNanos() : fault, start -> new ArrayList<>())
                        .add(sample);
            }
        }
        return byStart.values();
    }
}
