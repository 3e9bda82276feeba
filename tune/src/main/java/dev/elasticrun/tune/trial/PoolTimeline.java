/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.trial;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which agents a study had, and what they worked for, over time. Owned by one thread. */
public final class PoolTimeline {
    private final SortedMap<Integer, Moment> moments = new TreeMap<>();

    /**
     * The pool from one change to the next.
     *
     * @param agents live ones, and the trial that each works for; 0 = none
     */
    public record Moment(Instant at, SortedMap<String, Integer> agents) {
        public Moment {
            agents = Collections.unmodifiableSortedMap(new TreeMap<>(agents));
        }
    }

    /** The pool has changed; without effect if that change is known. */
    public void put(int number, Moment moment) {
        moments.putIfAbsent(number, moment);
    }

    /** Of the next change, from 1. */
    public int nextNumber() {
        return moments.isEmpty() ? 1 : moments.lastKey() + 1;
    }

    /** In their order. */
    public List<Moment> moments() {
        return List.copyOf(moments.values());
    }

    /** Whether that is no change. */
    public boolean isNewest(SortedMap<String, Integer> agents) {
        Moment newest = moments.isEmpty() ? null : moments.get(moments.lastKey());
        return newest == null ? agents.isEmpty() : newest.agents().equals(agents);
    }
}
