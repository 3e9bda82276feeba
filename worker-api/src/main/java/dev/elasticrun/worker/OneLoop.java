/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.concurrent.atomic.AtomicReference;

/** Admits one loop per process: a second one would continue from the first one's last checkpoint. Any thread. */
final class OneLoop {
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NONE);

    private enum Phase {
        NONE,
        RUNNING,
        DONE
    }

    /** Throws if there is or was another one. */
    void begin() {
        Phase before = phase.compareAndExchange(Phase.NONE, Phase.RUNNING);
        if (before != Phase.NONE) {
            throw new IllegalStateException("cannot run a second loop in this process: "
                    + (before == Phase.RUNNING
                            ? "one is running"
                            : "the first one has returned, and this worker has left its round")
                    + ". Put what follows into the same body, with its position in the state");
        }
    }

    /** Whether one came to its end. */
    boolean isDone() {
        return phase.get() == Phase.DONE;
    }

    /** @param isDone whether it came to its end; after a failure it is the program that decides whether to begin again */
    void end(boolean isDone) {
        phase.set(isDone ? Phase.DONE : Phase.NONE);
    }
}
