/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Learns how long one worker goes without a sign of progress when all is well, apart for each of its sections. Pure but
 * for its memory; owned by one thread.
 *
 * <p>The limit is the longest time seen, times a factor, and never below a floor. Once thousands of times were seen it is three
 * times the one that one in a hundred exceeds, or one and a half of the longest if that is more, so that steps that are long now
 * and then are no hang. What was seen fades slowly, so that one long step does not count for ever. The first times after a
 * start are not counted: classes are loaded and caches fill.
 */
final class HangLearner {
    static final int FACTOR = 10;
    static final int WARM_UP = 5;
    static final int ENOUGH = 10;
    static final int PERCENTILE_ENOUGH = 8192;
    static final int PERCENTILE_FACTOR = 3;
    static final double LONGEST_FACTOR = 1.5;

    // Sections of steps come in thousands, those of loading or evaluation a few times.
    private static final int ENOUGH_IN_SECTION = 1;

    private static final double FADING = 1 - 1.0 / 4096;
    /** Once percentiles count, the longest time of some thousands must be remembered. */
    private static final double SLOW_FADING = 1 - 1.0 / 65536;

    private final long floorNanos;
    private final Map<Integer, Seen> sections = new HashMap<>();
    private long warmUp = WARM_UP;

    private static final class Seen {
        private final TimeHistogram times = new TimeHistogram();
        private long count;
        private double longestNanos;

        void observe(long nanos, long signs) {
            count += signs;
            times.add(nanos, signs);
            double fading = count < PERCENTILE_ENOUGH ? FADING : SLOW_FADING;
            longestNanos = Math.max((double) nanos, longestNanos * fading);
        }

        double limitNanos() {
            return count < PERCENTILE_ENOUGH
                    ? FACTOR * longestNanos
                    : Math.max((double) PERCENTILE_FACTOR * times.percentileNanos(), LONGEST_FACTOR * longestNanos);
        }
    }

    HangLearner(long floorNanos) {
        this.floorNanos = floorNanos;
    }

    /** What is left of a time when another one is seen. */
    static long faded(long nanos) {
        return (long) (FADING * nanos);
    }

    /** The worker begins anew, in another round for example: what comes first is not counted. */
    void warmUp() {
        warmUp = WARM_UP;
    }

    /**
     * There was progress.
     *
     * @param section in which the worker was since the last one; 0 = none
     * @param nanos time since the progress before was seen: no interval in it was longer
     * @param signs how many signs of progress there were
     */
    void observe(int section, long nanos, long signs) {
        if (section == 0 && warmUp > 0) {
            warmUp = Math.max(0, warmUp - signs);
            return;
        }
        sections.computeIfAbsent(section, number -> new Seen()).observe(nanos, signs);
    }

    /** Longest time that the worker may go without a sign of progress; empty = not known yet. */
    OptionalLong limitNanos(int section) {
        Seen seen = sections.get(section);
        if (seen == null || seen.count < (section == 0 ? ENOUGH : ENOUGH_IN_SECTION)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.max(floorNanos, (long) seen.limitNanos()));
    }

    /** Longest time seen, faded. */
    long longestNanos(int section) {
        Seen seen = sections.get(section);
        return seen == null ? 0 : (long) seen.longestNanos;
    }
}
