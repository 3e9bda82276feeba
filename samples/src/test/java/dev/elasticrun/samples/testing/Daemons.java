/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ends processes that a test started and that would run for ever. */
public final class Daemons {
    private Daemons() {}

    /** Asks all of them to end, the last one that was started first, and returns when they have ended. */
    public static void end(List<Process> started) {
        List<Process> lastFirst = new ArrayList<>(started);
        Collections.reverse(lastFirst);
        lastFirst.forEach(Process::destroy);
        lastFirst.forEach(Daemons::awaitEnd);
    }

    /** Waits for its end, and kills it if that does not come. */
    static void awaitEnd(Process daemon) {
        try {
            if (!daemon.waitFor(10, TimeUnit.SECONDS)) {
                daemon.destroyForcibly()
                        .onExit()
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            daemon.destroyForcibly();
        }
    }
}
