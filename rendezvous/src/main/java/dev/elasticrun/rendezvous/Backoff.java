/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.time.Duration;

/** How long to wait before the same write is tried again: soon at first, then seldom enough for a store in trouble. */
final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LAST = Duration.ofMillis(400);

    private Duration next = FIRST;

    Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(LAST) < 0 ? doubled : LAST;
        return now;
    }

    void reset() {
        next = FIRST;
    }
}
