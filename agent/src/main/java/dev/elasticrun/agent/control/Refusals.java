/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls without the run's key, and callers with whom no TLS or no HTTP/2 came about. The first is reported at once, of
 * the next ones at most one in a second with how many came since: whoever tries keys cannot fill the disk. One that comes
 * again and again from the same host for the same reason, as from a node whose certificate has ended, is logged once a
 * minute only. Safe for use by any thread.
 */
public final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final long INTERVAL_NANOS = 1_000_000_000L;
    private static final long REPEAT_NANOS = 60 * INTERVAL_NANOS;
    /** Of strangers there can be any number. */
    private static final int MAX_KINDS = 256;

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
    // Guarded by this; what came last is at the end.
    private final Map<Kind, Repeated> repeated = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Repeated> eldest) {
            return size() > MAX_KINDS;
        }
    };

    /** What is the same each time when one caller tries in vain. */
    private record Kind(String method, String host, String why) {}

    /** How often it came since it was logged last, and when that was. */
    private static final class Repeated {
        private long count;
        private long loggedNanos;
        private boolean logged;
    }

    /** What to tell of one: how many there were since one was told of last, and how many like it since one was logged. */
    private record Due(long count, long repeats) {}

    public Refusals(LongSupplier nanoClock, Listener listener) {
        this.nanoClock = nanoClock;
        this.listener = listener;
    }

    /** A call without the key came. */
    public void call(String method, String from) {
        refused(method, from, "it does not know the run's key");
    }

    /**
     * Somebody called whose first words, if they were of that protocol, were not taken.
     *
     * @param protocol TLS or HTTP/2
     */
    public void handshake(String protocol, String service, String from, String why) {
        refused(protocol + " of the " + service, from, why);
    }

    private void refused(String method, String from, String why) {
        // Each connection of a caller has another port.
        int port = from.lastIndexOf(':');
        Due due = due(new Kind(method, port < 0 ? from : from.substring(0, port), why));
        if (due.repeats() == 1) {
            LOG.warn("a call ({}) from {} was refused: {}", method, from, why);
        } else if (due.repeats() > 1) {
            LOG.warn(
                    "a call ({}) from {} was refused: {} ({} such calls since the last message)",
                    method,
                    from,
                    why,
                    due.repeats());
        }
        if (due.count() > 0) {
            listener.onRefused(new Refusal(method, from, why, due.count()));
        }
    }

    /** 0 = nothing is to be told, or logged. */
    private synchronized Due due(Kind kind) {
        count++;
        Repeated same = repeated.computeIfAbsent(kind, first -> new Repeated());
        same.count++;
        long now = nanoClock.getAsLong();
        if (told && now - toldNanos < INTERVAL_NANOS) {
            return new Due(0, 0);
        }
        told = true;
        toldNanos = now;
        long since = count;
        count = 0;
        if (same.logged && now - same.loggedNanos < REPEAT_NANOS) {
            return new Due(since, 0);
        }
        same.logged = true;
        same.loggedNanos = now;
        long repeats = same.count;
        same.count = 0;
        return new Due(since, repeats);
    }
}
