/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Median and 99th percentile, by nearest rank: of fewer than a hundred values the latter is the largest. Pure.
 *
 * @param count of values
 * @param p50 milliseconds; negative = there is none
 * @param p99 the same
 */
record Percentiles(int count, double p50, double p99) {
    private static final double MILLIS = 1e6;

    static Percentiles ofNanos(Collection<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return new Percentiles(
                sorted.size(), at(sorted, 0.5).orElse(-1), at(sorted, 0.99).orElse(-1));
    }

    private static OptionalDouble at(List<Long> sorted, double share) {
        if (sorted.isEmpty()) {
            return OptionalDouble.empty();
        }
        int rank = (int) Math.ceil(share * sorted.size());
        return OptionalDouble.of(sorted.get(Math.max(0, rank - 1)) / MILLIS);
    }
}
