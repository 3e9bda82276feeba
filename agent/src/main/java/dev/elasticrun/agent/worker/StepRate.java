/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

/**
 * Steps a second over the last seconds, from looks at a counter. A counter that goes back, as after a rollback, begins
 * anew; one that grows seldom, as of a program that reports every 400 steps, is known by its last two changes. How long
 * it stood before it grew first is no part of a rate: the program was loading. Owned by one thread.
 */
final class StepRate {
    private static final int SAMPLES = 16;
    private static final long SPACING_NANOS = 500_000_000L;
    private static final long WINDOW_NANOS = SAMPLES * SPACING_NANOS;

    private static final long SELDOM_NANOS = 4 * SPACING_NANOS;
    // A counter that has not grown for this multiple of its usual time is taken to stall.
    private static final int MISSED = 4;

    private final long[] nanos = new long[SAMPLES];
    private final long[] steps = new long[SAMPLES];
    private int count;
    private long newestNanos;
    private long newestStep;
    private long changeNanos;
    private boolean changed;
    private boolean stood;
    private long gapNanos;
    private long gapSteps;

    /**
     * The counter is there now.
     *
     * @param nowNanos monotonic, never earlier than before
     */
    void observe(long nowNanos, long step) {
        if (count > 0 && step < newestStep) {
            restart();
        } else if (count > 0 && step > newestStep) {
            grow(nowNanos, step);
        } else if (count == 1 && !changed) {
            stood = stood || nowNanos - nanos[0] >= SPACING_NANOS;
        }
        newestNanos = nowNanos;
        newestStep = step;
        boolean stands = !changed && count == 1 && stood;
        if (stands) {
            nanos[0] = nowNanos;
        } else if (count == 0 || nowNanos - nanos[(count - 1) % SAMPLES] >= SPACING_NANOS) {
            nanos[count % SAMPLES] = nowNanos;
            steps[count % SAMPLES] = step;
            count++;
        }
    }

    /** It counts something else from now on. */
    void restart() {
        count = 0;
        changed = false;
        stood = false;
        gapNanos = 0;
    }

    private void grow(long nowNanos, long step) {
        if (changed) {
            gapNanos = nowNanos - changeNanos;
            gapSteps = step - newestStep;
        } else if (stood) {
            count = 0;
        }
        changed = true;
        changeNanos = nowNanos;
    }

    /** Negative = not known yet. */
    double perSecond() {
        if (gapNanos >= SELDOM_NANOS) {
            long since = newestNanos - changeNanos;
            return since > MISSED * gapNanos ? 0 : gapSteps * 1e9 / Math.max(gapNanos, since);
        }
        double slope = slope();
        // It grew once: how often it does is not known.
        return slope == 0 && changed && gapNanos == 0 ? -1 : slope;
    }

    private double slope() {
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
