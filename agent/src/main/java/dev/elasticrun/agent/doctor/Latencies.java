/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Durations of equal calls.
 *
 * @param count how many
 * @param p50Nanos half of them took no longer
 * @param p99Nanos 99 of 100 took no longer; with fewer than 100, the longest
 */
public record Latencies(int count, long p50Nanos, long p99Nanos) {
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** @param nanos at least one */
    static Latencies of(long... nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("nanos: none (expected: at least one)");
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Latencies(sorted.length, at(sorted, 0.50), at(sorted, 0.99));
    }

    // The least one that the given part of all does not exceed.
    private static long at(long[] sorted, double part) {
        return sorted[(int) Math.ceil(part * sorted.length) - 1];
    }

    public double p50Millis() {
        return p50Nanos / NANOS_PER_MILLI;
    }

    public double p99Millis() {
        return p99Nanos / NANOS_PER_MILLI;
    }

    String text() {
        return String.format(Locale.ROOT, "p50 %.2f ms, p99 %.2f ms of %d", p50Millis(), p99Millis(), count);
    }
}
