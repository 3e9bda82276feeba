/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a process, one after the other. A second one continues from the first one's last checkpoint, so it needs the
 * same state, which knows which loop a checkpoint is of. Any thread; the collective is the loop thread's.
 */
final class Loops {
    // Guarded by this.
    private boolean isRunning;
    private long done;
    private @Nullable ElasticState state;

    private @Nullable Collective kept;

    /** Begins the next one, or one that failed again. Returns its number, from 1. */
    synchronized long begin(ElasticState next) {
        if (isRunning) {
            throw new IllegalStateException("cannot run a second loop in this process: one is running");
        }
        if (done > 0 && state != next) {
            throw new IllegalStateException("cannot run loop " + (done + 1)
                    + " of this process with another state than the loops before (expected: the state of all loops,"
                    + " made with acrossLoops)");
        }
        if (done > 0 && !next.isAcrossLoops()) {
            throw new IllegalStateException("cannot run a second loop in this process: the state is not one of several"
                    + " loops, and this worker has left its round (expected: a state made with acrossLoops)");
        }
        isRunning = true;
        state = next;
        return done + 1;
    }

    /** @param isDone whether it came to its end; after a failure it is the program that decides whether to begin again */
    synchronized void end(boolean isDone) {
        isRunning = false;
        done += isDone ? 1 : 0;
    }

    /** Whether one has come to its end, and no further one can begin with this state. */
    synchronized boolean areOver(ElasticState next) {
        return done > 0 && !isRunning && (state != next || !next.isAcrossLoops());
    }

    /** The next loop works in the round of this one. */
    void keep(Collective collective) {
        kept = collective;
    }

    /** What the loop before worked with, once. Its round can be over. */
    Optional<Collective> takeKept() {
        Optional<Collective> taken = Optional.ofNullable(kept);
        kept = null;
        return taken;
    }
}
