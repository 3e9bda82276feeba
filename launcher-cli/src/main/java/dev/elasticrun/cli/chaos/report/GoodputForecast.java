/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Goodput of a larger run with rarer faults, from what a fault of a storm cost. Assumes that faults are independent,
 * that each costs the same in a run of any size, and that none comes while another one is recovered from. Pure.
 */
public final class GoodputForecast {
    /** From ten nodes that fail once a day to a thousand that fail once a month. */
    public static final List<Case> DEFAULTS = Stream.of(10, 100, 1000)
            .flatMap(nodes -> Stream.of(24, 168, 720).map(hours -> new Case(Duration.ofHours(hours), nodes)))
            .toList();

    private GoodputForecast() {}

    /**
     * A run.
     *
     * @param mtbf mean time between two failures of one node, with all that it runs
     */
    public record Case(Duration mtbf, int nodes) {}

    /**
     * The share of time that is useful.
     *
     * @param lostSeconds by each fault
     */
    static double of(Case run, double lostSeconds) {
        double faultsPerSecond = run.nodes() * 1000.0 / run.mtbf().toMillis();
        return 1 / (1 + faultsPerSecond * Math.max(0, lostSeconds));
    }
}
