/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import org.jspecify.annotations.Nullable;

/**
 * An order to the workers that waits for a checkpoint, and what they receive in its place if another comes before: their
 * events have numbers without holes. Methods belong to the loop, unless stated otherwise.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written by the loop alone
final class PendingOrder {
    private volatile long orders;
    private @Nullable Runnable instead;

    /** The workers are stopped: they receive neither. */
    void cancel() {
        orders++;
        instead = null;
    }

    /** The workers are about to receive another order. */
    void overtake() {
        Runnable due = instead;
        cancel();
        if (due != null) {
            due.run();
        }
    }

    /** @param overtaken what the workers receive in place of it; null = nothing */
    Waiting begin(@Nullable Runnable overtaken) {
        instead = overtaken;
        return new Waiting(orders);
    }

    /** The order that waits. */
    final class Waiting {
        private final long order;

        private Waiting(long order) {
            this.order = order;
        }

        /** Whether no other order came; any thread calls. */
        boolean isDue() {
            return orders == order;
        }

        /** The wait is over: the workers receive the order, unless another came. */
        void complete(Runnable publish) {
            if (isDue()) {
                instead = null;
                publish.run();
            }
        }
    }
}
