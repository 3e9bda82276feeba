/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what this worker did not accept from others, and logs it ever more rarely. Any thread. */
public final class RejectionLog {
    private static final System.Logger LOGGER = System.getLogger(RejectionLog.class.getName());

    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong frames = new AtomicLong();

    /** Counts a caller that did not prove its identity, or has no right to connect here. */
    void connection(String reason) {
        log("connections", connections.incrementAndGet(), reason);
    }

    /** Something on a connection of a round that its protocol does not know. */
    public void frame(String reason) {
        log("frames", frames.incrementAndGet(), reason);
    }

    public long connections() {
        return connections.get();
    }

    public long frames() {
        return frames.get();
    }

    private static void log(String what, long count, String reason) {
        LOGGER.log(
                Long.bitCount(count) == 1 ? Level.INFO : Level.DEBUG,
                what + " refused so far: " + count + ", the last because: " + reason);
    }
}
