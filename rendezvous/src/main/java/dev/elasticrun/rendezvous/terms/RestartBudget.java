/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How many restarts a run may use. Pure: how long ago a record was decided is passed in.
 *
 * @param max at most this many at a time, from 0
 * @param window how long each of them counts; zero = for as long as the run
 * @param refund for each such time of progress without a charge one comes back; zero = none does
 */
public record RestartBudget(int max, Duration window, Duration refund) {
    /** For the whole run. */
    public static RestartBudget of(int max) {
        return new RestartBudget(max, Duration.ZERO, Duration.ZERO);
    }

    public boolean hasWindow() {
        return !window.isZero();
    }

    public boolean hasRefund() {
        return !refund.isZero();
    }

    /** How long they count, as text that follows their number; empty = for as long as the run. */
    public String within() {
        return hasWindow() ? " within " + text(window) : "";
    }

    private static String text(Duration time) {
        if (time.toMillis() % 1000 != 0) {
            return time.toMillis() + " ms";
        } else if (time.toSeconds() % 60 != 0) {
            return time.toSeconds() + " s";
        }
        return time.toMinutes() % 60 != 0 ? time.toMinutes() + " min" : time.toHours() + " h";
    }

    public int left(UsedRestarts used) {
        return Math.max(0, max - used.counted());
    }

    /**
     * The same some time later.
     *
     * @param millis since {@code used} was decided; too few only make a restart count for longer
     * @param progressed whether workers worked all that time, and completed a checkpoint in it
     */
    public UsedRestarts later(UsedRestarts used, long millis, boolean progressed) {
        List<Long> ages = new ArrayList<>();
        for (long age : used.agesMillis()) {
            if (age + millis < window.toMillis()) {
                ages.add(age + millis);
            }
        }
        int counted = hasWindow() ? ages.size() : used.counted();
        long progress = hasRefund() && counted > 0 ? used.progressMillis() + (progressed ? millis : 0) : 0;
        int back = hasRefund() ? (int) Math.min(counted, progress / refund.toMillis()) : 0;
        int rest = counted - back;
        return new UsedRestarts(
                used.total(),
                rest,
                used.returned() + back,
                hasWindow() ? ages.subList(back, ages.size()) : List.of(),
                rest == 0 ? 0 : progress - back * refund.toMillis());
    }

    /** With more of them charged at that moment. What was under way towards a refund begins anew. */
    public UsedRestarts charged(UsedRestarts used, int charge) {
        if (charge == 0) {
            return used;
        }
        List<Long> ages = new ArrayList<>(used.agesMillis());
        for (int i = 0; hasWindow() && i < charge; i++) {
            ages.add(0L);
        }
        return new UsedRestarts(used.total() + charge, used.counted() + charge, used.returned(), ages, 0);
    }

    /** Milliseconds of progress until a restart comes back; {@link Long#MAX_VALUE} = none will. */
    public long untilRefundMillis(UsedRestarts used) {
        return hasRefund() && used.counted() > 0 ? refund.toMillis() - used.progressMillis() : Long.MAX_VALUE;
    }

    /** Milliseconds until the oldest use counts no more; {@link Long#MAX_VALUE} = all count for as long as the run. */
    public long untilReturnMillis(UsedRestarts used) {
        return used.agesMillis().isEmpty()
                ? Long.MAX_VALUE
                : window.toMillis() - used.agesMillis().get(0);
    }
}
