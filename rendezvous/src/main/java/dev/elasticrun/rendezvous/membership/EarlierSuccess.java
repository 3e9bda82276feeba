/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import java.time.Duration;

/**
 * A success that an agent finds when it registers for the first time: of the run that it was started for, or of one that
 * had ended before it was started. The age of the verdict is measured by the store, and the age of the agent by its own
 * clock, so that the clocks of two hosts are never compared. Stores count whole seconds; where that does not decide, it is
 * measured until a second of the store begins. Owned by the loop.
 */
final class EarlierSuccess {
    /** Between two measurements. */
    static final Duration PERIOD = Duration.ofMillis(20);

    private static final Duration REMINDER = Duration.ofSeconds(10);
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
    /** Every second of the store begins once within it, unless the store answers late. */
    private static final long LIMIT_NANOS = Duration.ofMillis(1500).toNanos();

    private final long revision;
    private final long startedNanos;
    private long beganNanos;
    private long earliestNanos;
    private long latestNanos;
    private boolean measured;
    private long reportedNanos;
    private boolean isReported;

    /** What came first. */
    enum Order {
        /** Not known yet. */
        OPEN,
        /** The run ended, then the agent was started: what it was started for has yet to begin. */
        ENDED_FIRST,
        /** The agent was started, and came too late. */
        STARTED_FIRST
    }

    /**
     * @param revision modification revision of the verdict
     * @param startedNanos when the agent was started, on the loop's clock, as all times here
     */
    EarlierSuccess(long revision, long startedNanos) {
        this.revision = revision;
        this.startedNanos = startedNanos;
    }

    boolean isOf(long verdictRevision) {
        return revision == verdictRevision;
    }

    /** @param age of the verdict's lease when the store answered, see {@code RendezvousStore.leaseAge} */
    void measured(long sentNanos, long answeredNanos, Duration age) {
        long earliest = sentNanos - age.toNanos();
        long latest = answeredNanos - age.toNanos() + SECOND_NANOS;
        if (measured) {
            earliestNanos = earliest - earliestNanos > 0 ? earliest : earliestNanos;
            latestNanos = latest - latestNanos < 0 ? latest : latestNanos;
        } else {
            measured = true;
            beganNanos = sentNanos;
            earliestNanos = earliest;
            latestNanos = latest;
        }
    }

    Order order(long nowNanos) {
        if (!measured) {
            return Order.OPEN;
        }
        if (startedNanos - latestNanos >= 0) {
            return Order.ENDED_FIRST;
        }
        if (startedNanos - earliestNanos < 0) {
            return Order.STARTED_FIRST;
        }
        if (nowNanos - beganNanos < LIMIT_NANOS) {
            return Order.OPEN;
        }
        return startedNanos - middle() >= 0 ? Order.ENDED_FIRST : Order.STARTED_FIRST;
    }

    /** About how long ago the run ended. */
    long secondsAgo(long nowNanos) {
        return Math.max(0, Duration.ofNanos(nowNanos - middle()).toSeconds());
    }

    private long middle() {
        return earliestNanos + (latestNanos - earliestNanos) / 2;
    }

    /** Whether to report the wait now: at once, and again while it lasts. */
    boolean isNews(long nowNanos) {
        boolean due = !isReported || nowNanos - reportedNanos >= REMINDER.toNanos();
        if (due) {
            isReported = true;
            reportedNanos = nowNanos;
        }
        return due;
    }
}
