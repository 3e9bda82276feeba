/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records calls without the run's key, and callers with which no TLS or HTTP/2 connection was established. The first is
 * reported at once, of the next ones at most one per second with the number since the last report: a caller that tries
 * keys cannot fill the disk. A repeated refusal of the same host for the same reason, as of a node whose certificate
 * has expired, is logged only once a minute. Safe for use by any thread.
 */
public final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final long INTERVAL_NANOS = 1_000_000_000L;
    private static final long REPEAT_NANOS = 60 * INTERVAL_NANOS;
    // The number of different callers is not limited.
    private static final int MAX_KINDS = 256;

    /** Called by any thread. */
    @FunctionalInterface
    public interface Listener {
        void onRefused(Refusal refusal);
    }

    /**
     * A reported refusal.
     *
     * @param method that was called
     * @param from address of the caller
     * @param why what was wrong
     * @param count number of refusals since the last report, with this one
     */
    public record Refusal(String method, String from, String why, long count) {}

    private final LongSupplier nanoClock;
    private final Listener listener;
    private long count;
    private long reportedNanos;
    private boolean isReported;
    // Guarded by this; what came last is at the end.
    private final Map<Kind, Repeated> repeated = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Repeated> eldest) {
            return size() > MAX_KINDS;
        }
    };

    // The fields that are equal in repeated refusals of one caller.
    private record Kind(String method, String host, String why) {}

    // The count since the last log message, and the time of that message.
    private static final class Repeated {
        private long count;
        private long loggedNanos;
        private boolean logged;
    }

    // What to report: the number of refusals since the last report, and of equal ones since the last that was logged.
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
     * Records a caller whose first bytes were not accepted as that protocol.
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

    // 0 = nothing to report, or to log.
    private synchronized Due due(Kind kind) {
        count++;
        Repeated same = repeated.computeIfAbsent(kind, first -> new Repeated());
        same.count++;
        long now = nanoClock.getAsLong();
        if (isReported && now - reportedNanos < INTERVAL_NANOS) {
            return new Due(0, 0);
        }
        isReported = true;
        reportedNanos = now;
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
