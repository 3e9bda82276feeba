/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

/** Counts times in classes, four per octave; the newest ten thousands count most. */
final class TimeHistogram {
    private static final int BITS = 2;
    private static final int PER_OCTAVE = 1 << BITS;
    private static final long MOST = 1 << 14;
    private static final int PERCENT = 99;

    private final long[] counts = new long[Long.SIZE * PER_OCTAVE];
    private long total;

    /** So many times of at most this length each. */
    void add(long nanos, long times) {
        counts[classOf(nanos)] += times;
        total += times;
        if (total > MOST) {
            total = 0;
            for (int i = 0; i < counts.length; i++) {
                counts[i] /= 2;
                total += counts[i];
            }
        }
    }

    /** The upper bound of the class in which the 99th percentile is, at most a quarter above it; 0 = nothing was counted. */
    long percentileNanos() {
        long above = total * (100 - PERCENT) / 100;
        for (int i = counts.length - 1; i >= 0; i--) {
            above -= counts[i];
            if (above < 0) {
                return (long) (PER_OCTAVE + i % PER_OCTAVE + 1) << (i / PER_OCTAVE);
            }
        }
        return 0;
    }

    // The first bits of the number, behind the highest one; what is shorter than some nanoseconds counts as that.
    private static int classOf(long nanos) {
        long least = Math.max(PER_OCTAVE, nanos);
        int octave = Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(least);
        return octave * PER_OCTAVE + (int) (least >>> octave) % PER_OCTAVE;
    }
}
