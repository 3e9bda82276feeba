/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When the coordinator plans next: soon after an event, and at the time that a decision waits for. Owned by the loop. */
final class PlanTimers {
    /** Between two plans for events, in whole milliseconds. Several times what a plan costs: none below 100 nodes. */
    private static final Duration PAUSE_PER_NODE = Duration.ofNanos(10_000);

    private final EventLoop loop;
    private final Runnable plan;
    private EventLoop.@Nullable Timer later;
    private EventLoop.@Nullable Timer soon;
    private boolean isSoon;
    private long plannedNanos;

    PlanTimers(EventLoop loop, Runnable plan) {
        this.loop = loop;
        this.plan = plan;
        this.plannedNanos = loop.nowNanos();
    }

    /** After what is already waiting in the loop, and with many nodes after a moment: a burst of events costs one plan. */
    void soon(int nodes) {
        if (isSoon) {
            return;
        }
        isSoon = true;
        Duration pause = PAUSE_PER_NODE.multipliedBy(nodes);
        long leftMillis = pause.minusNanos(loop.nowNanos() - plannedNanos).toMillis();
        if (leftMillis > 0) {
            soon = loop.schedule(Duration.ofMillis(leftMillis), plan);
        } else {
            loop.execute(plan);
        }
    }

    /** In place of what was to be done later before. */
    void later(Duration delay, Runnable what) {
        cancelLater();
        later = loop.schedule(delay, what);
    }

    void cancelLater() {
        if (later != null) {
            later.cancel();
            later = null;
        }
    }

    /** Events from now on ask for another plan. */
    void cancelSoon() {
        isSoon = false;
        if (soon != null) {
            soon.cancel();
            soon = null;
        }
    }

    /** What is known now is planned with: the pause before the next plan begins. */
    void onPlan() {
        plannedNanos = loop.nowNanos();
    }

    void cancel() {
        cancelLater();
        cancelSoon();
    }
}
