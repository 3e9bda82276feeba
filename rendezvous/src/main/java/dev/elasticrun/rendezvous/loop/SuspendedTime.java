/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.loop;

/**
 * Measures for how long a machine has been suspended, from readings of the clock that counts on meanwhile and of the
 * one that stops. Pure; for one thread.
 */
final class SuspendedTime {
    /** What the two clocks seem to differ by because of how coarse the one is, and of what runs between two readings. */
    static final long NOISE_NANOS = 100_000_000L;

    private long lastNanos;
    private long nanos;

    /** A reading with which later ones are compared; the best of several, if there are. */
    void begin(long countingNanos, long afterNanos) {
        lastNanos = countingNanos - afterNanos;
    }

    /**
     * @param countingNanos of the clock that counts on
     * @param afterNanos of the clock that stops, read <em>after</em> the other one: delays in between only make the
     *     difference smaller, and none is ever taken for time in which the machine was suspended
     * @return for how long it was suspended since it began, in steps that are more than noise
     */
    long read(long countingNanos, long afterNanos) {
        long difference = countingNanos - afterNanos;
        if (difference - lastNanos > NOISE_NANOS) {
            nanos += difference - lastNanos;
            lastNanos = difference;
        }
        return nanos;
    }

    /** What the last reading made of it. */
    long nanos() {
        return nanos;
    }
}
