/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls without the run's key, and callers with whom no TLS came about. The first is told of at once, of the next ones at
 * most one in a second with how many came since: whoever tries keys cannot fill the disk. Safe for use by any thread.
 */
public final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    /** Called by any thread. */
    @FunctionalInterface
    public interface Listener {
        void onRefused(Refusal refusal);
    }

    /**
     * One that is told of.
     *
     * @param method that was called
     * @param from address of the caller
     * @param why what was wrong
     * @param count how many were refused since one was told of last, with this one
     */
    public record Refusal(String method, String from, String why, long count) {}

    private final LongSupplier nanoClock;
    private final Listener listener;
    private long count;
    private long toldNanos;
    private boolean told;

    public Refusals(LongSupplier nanoClock, Listener listener) {
        this.nanoClock = nanoClock;
        this.listener = listener;
    }

    /** A call without the key came. */
    public void call(String method, String from) {
        refused(method, from, "it does not know the run's key");
    }

    /** Somebody called whose TLS, if it was that, was not taken. */
    public void handshake(String service, String from, String why) {
        refused("TLS of the " + service, from, why);
    }

    private void refused(String method, String from, String why) {
        long since = due();
        if (since > 0) {
            LOG.warn("a call ({}) from {} was refused: {}", method, from, why);
            listener.onRefused(new Refusal(method, from, why, since));
        }
    }

    /** How many to tell of now; 0 = none. */
    private synchronized long due() {
        count++;
        long now = nanoClock.getAsLong();
        if (told && now - toldNanos < INTERVAL_NANOS) {
            return 0;
        }
        told = true;
        toldNanos = now;
        long since = count;
        count = 0;
        return since;
    }
}
