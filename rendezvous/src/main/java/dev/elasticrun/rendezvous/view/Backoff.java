/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import java.time.Duration;

/** How long to wait before the same write is tried again: soon at first, then seldom enough for a failing store. */
public final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LAST = Duration.ofMillis(400);

    private Duration next = FIRST;

    public Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(LAST) < 0 ? doubled : LAST;
        return now;
    }

    public void reset() {
        next = FIRST;
    }
}
