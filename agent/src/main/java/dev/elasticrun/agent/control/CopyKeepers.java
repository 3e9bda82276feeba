/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The nodes that keep copies of this node's checkpoints, by when they asked last. One that does not ask any more makes room for
 * another. Safe for use by any thread; times are of one clock, in nanoseconds.
 */
final class CopyKeepers {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** A keeper pauses for ten times what a copy took. */
    private static final int TRANSFERS_KEPT = 20;

    private final Map<String, Long> until = new HashMap<>();

    /** Whether that node is among the first that asked, up to this many. */
    synchronized boolean admits(String nodeId, int most, long nowNanos) {
        forget(nowNanos);
        if (most <= 0 || (!until.containsKey(nodeId) && until.size() >= most)) {
            return false;
        }
        until.merge(nodeId, nowNanos + KEPT_NANOS, CopyKeepers::later);
        return true;
    }

    /** @param tookNanos how long the copy took */
    synchronized void served(String nodeId, long tookNanos, long nowNanos) {
        until.merge(nodeId, nowNanos + KEPT_NANOS + TRANSFERS_KEPT * tookNanos, CopyKeepers::later);
    }

    /** Their names, in order. */
    synchronized List<String> known(long nowNanos) {
        forget(nowNanos);
        return until.keySet().stream().sorted().toList();
    }

    private void forget(long nowNanos) {
        until.values().removeIf(end -> end - nowNanos < 0);
    }

    private static Long later(Long one, Long other) {
        return one - other < 0 ? other : one;
    }
}
