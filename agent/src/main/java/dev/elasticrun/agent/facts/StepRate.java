/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

/**
 * Steps a second over the last seconds, from looks at a counter. A counter that goes back, as after a rollback, begins
 * anew. Owned by one thread.
 */
public final class StepRate {
    private static final int SAMPLES = 16;
    private static final long SPACING_NANOS = 500_000_000L;
    private static final long WINDOW_NANOS = SAMPLES * SPACING_NANOS;

    private final long[] nanos = new long[SAMPLES];
    private final long[] steps = new long[SAMPLES];
    private int count;
    private long newestNanos;
    private long newestStep;

    /**
     * The counter is there now.
     *
     * @param nowNanos monotonic, never earlier than before
     */
    public void observe(long nowNanos, long step) {
        if (count > 0 && step < newestStep) {
            count = 0;
        }
        newestNanos = nowNanos;
        newestStep = step;
        if (count == 0 || nowNanos - nanos[(count - 1) % SAMPLES] >= SPACING_NANOS) {
            nanos[count % SAMPLES] = nowNanos;
            steps[count % SAMPLES] = step;
            count++;
        }
    }

    /** Negative = not known yet. */
    public double perSecond() {
        double beforeTheWindow = -1;
        for (int at = Math.max(0, count - SAMPLES); at < count; at++) {
            long age = newestNanos - nanos[at % SAMPLES];
            if (age < SPACING_NANOS) {
                break;
            }
            double slope = (newestStep - steps[at % SAMPLES]) * 1e9 / age;
            if (age <= WINDOW_NANOS) {
                return slope;
            }
            beforeTheWindow = slope;
        }
        return beforeTheWindow;
    }
}
