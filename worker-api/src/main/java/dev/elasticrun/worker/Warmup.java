/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerState;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * When this worker rehearses what rounds and losses need. One that is new in a run under way does it before others wait
 * for it; one that was there from the start does it while its program works, unless the first loss comes before, or while
 * others work and it stands by. One that stands by then practises what steps need, until it is to work.
 */
final class Warmup {
    private static final long BLOCK_MILLIS = 2000;
    /** A first round has begun with much to do: what the next one needs is loaded after that. */
    private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Function<String, Thread> rehearsal;
    private final Consumer<String> practice;
    private volatile boolean isOver;
    private volatile boolean hasBegun;
    private boolean hasPractised;
    private volatile boolean isDue;
    private volatile long dueNanos;

    /**
     * @param rehearsal starts it for an incarnation; gives the thread that ends last
     * @param practice starts it for an incarnation
     */
    Warmup(Function<String, Thread> rehearsal, Consumer<String> practice) {
        this.rehearsal = rehearsal;
        this.practice = practice;
    }

    /** Returns when all is loaded, or after a while. User thread. */
    void now(String incarnation) {
        try {
            start(incarnation).join(BLOCK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A round has begun, the first one or one after a change. Where workers share processors they need longer for their
     * first steps. User thread.
     */
    void began(int localWorldSize, long nowNanos) {
        if (hasBegun) {
            spare();
        } else {
            hasBegun = true;
            int processors = Runtime.getRuntime().availableProcessors();
            int sharing = Math.max(1, (localWorldSize + processors - 1) / processors);
            dueNanos = nowNanos + sharing * AFTER_NANOS;
            isDue = true;
        }
    }

    /** This worker has lived through a change: there is nothing left to rehearse. User thread. */
    void spare() {
        isOver = true;
    }

    /**
     * Several times a second, on the channel thread.
     *
     * @param newest the last event from the agent
     * @param roundOfOthers newest round of the run, if this worker is ready for one; 0 = none
     */
    void tick(WorkerEvent newest, long roundOfOthers, long nowNanos) {
        // One that has worked was paused, and needs no practice.
        boolean standsBy = !hasBegun && roundOfOthers > 0 && newest.workerState() == WorkerState.PAUSED;
        if (!isDue && standsBy) {
            dueNanos = nowNanos + AFTER_NANOS;
            isDue = true;
        }
        if (isDue && nowNanos - dueNanos > 0) {
            if (!isOver) {
                start(newest.incarnation());
            }
            if (standsBy && !hasPractised) {
                hasPractised = true;
                practice.accept(newest.incarnation());
            }
        }
    }

    private Thread start(String incarnation) {
        isOver = true;
        return rehearsal.apply(incarnation);
    }
}
