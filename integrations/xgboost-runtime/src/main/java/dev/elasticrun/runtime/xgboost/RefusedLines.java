/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that a tracker has closed because of what came over them, or did not come. The first is logged at once, of the
 * next ones at most one in a second with how many came since: strangers at the port do not fill the log. Owned by the
 * tracker's thread; the count may be read by any.
 */
final class RefusedLines {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedLines.class);
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final String name;
    private volatile long count;
    private long logged;
    private long loggedNanos;

    /** @param name of the tracker, for the log */
    RefusedLines(String name) {
        this.name = name;
    }

    /**
     * @param who name of the peer
     * @param why without control characters
     * @return whether it was logged
     */
    boolean add(String who, String why, long nowNanos) {
        long before = count;
        count = before + 1;
        if (logged > 0 && nowNanos - loggedNanos < INTERVAL_NANOS) {
            return false;
        }
        LOG.info("{}: the line of {} is closed: {} ({} so since the last message)", name, who, why, count - logged);
        logged = count;
        loggedNanos = nowNanos;
        return true;
    }

    /** How many there were. */
    long count() {
        return count;
    }
}
