/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.Arrays;
import java.util.Locale;

/** Measured times in milliseconds, sorted. A time that could not be read from a log is NaN and left out. */
final class Distribution {
    private final double[] sorted;

    private Distribution(double[] sorted) {
        this.sorted = sorted;
    }

    static Distribution of(double... millis) {
        return new Distribution(
                Arrays.stream(millis).filter(Double::isFinite).sorted().toArray());
    }

    int count() {
        return sorted.length;
    }

    double median() {
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest measured time that at least this share of all times does not exceed (nearest rank). */
    double quantile(double share) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }

    double worst() {
        return quantile(1);
    }

    /** One row of a table: name, median, p90, p99, worst, and the number of times when some are missing. */
    String row(String name, int expected) {
        String missing = count() == expected ? "" : " (" + count() + " of " + expected + ")";
        return String.format(
                Locale.ROOT,
                "| %s%s | %s | %s | %s | %s |",
                name,
                missing,
                shown(median()),
                shown(quantile(0.9)),
                shown(quantile(0.99)),
                shown(worst()));
    }

    private static String shown(double millis) {
        return Double.isNaN(millis) ? "-" : String.format(Locale.ROOT, "%.1f", millis);
    }
}
