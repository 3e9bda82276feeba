/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.Credentials;
import dev.elasticrun.worker.collective.Rehearsal;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * When this worker rehearses what rounds and losses need. One that is new in a run under way does it before others wait
 * for it; one that was there from the start does it while its program works, unless the first loss comes before.
 */
final class Warmup {
    private static final long BLOCK_MILLIS = 2000;
    /** A first round has begun with much to do: what the next one needs is loaded after that. */
    private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Supplier<Credentials> credentials;
    private final Path parent;
    private volatile boolean isOver;
    private volatile boolean isDue;
    private volatile long dueNanos;

    /** @param parent of a directory that the rehearsal makes and deletes */
    Warmup(Supplier<Credentials> credentials, Path parent) {
        this.credentials = credentials;
        this.parent = parent;
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
        if (isDue) {
            spare();
        } else {
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

    /** Several times a second, on the channel thread. */
    void tick(String incarnation, long nowNanos) {
        if (isDue && !isOver && nowNanos - dueNanos > 0) {
            start(incarnation);
        }
    }

    private Thread start(String incarnation) {
        isOver = true;
        return Rehearsal.start(credentials.get(), incarnation, parent);
    }
}
