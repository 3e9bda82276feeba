/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** What comes from the rendezvous, in order: while something is made beside the loop, it waits. Owned by the loop. */
final class RendezvousCalls {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean isMaking;

    /** Now, or behind all that waits. */
    void run(Runnable call) {
        if (isMaking || !waiting.isEmpty()) {
            waiting.add(call);
        } else {
            call.run();
        }
    }

    /**
     * Calls that come from now on wait.
     *
     * @param making begins what they wait for; runs what it is given, in the loop, when that is there
     */
    void await(Consumer<Runnable> making) {
        run(() -> {
            isMaking = true;
            making.accept(this::made);
        });
    }

    private void made() {
        isMaking = false;
        while (!isMaking && !waiting.isEmpty()) {
            waiting.remove().run();
        }
    }
}
