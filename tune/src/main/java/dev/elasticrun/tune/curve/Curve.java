/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.curve;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The losses of a trial by step. The first report of a step counts. */
public final class Curve {
    private final NavigableMap<Long, Double> losses = new TreeMap<>();

    /** @return false if the step was there */
    public boolean add(long step, double loss) {
        return losses.putIfAbsent(step, loss) == null;
    }

    public boolean isEmpty() {
        return losses.isEmpty();
    }

    /** The last step that was reported; empty = none. */
    public OptionalLong newest() {
        return losses.isEmpty() ? OptionalLong.empty() : OptionalLong.of(losses.lastKey());
    }

    /** What was reported for that step, or else for the first one after it; empty = the trial has not come so far. */
    public OptionalDouble at(long step) {
        Map.Entry<Long, Double> entry = losses.ceilingEntry(step);
        return entry == null ? OptionalDouble.empty() : OptionalDouble.of(entry.getValue());
    }

    /** The least one up to a step; empty = nothing was reported by then. */
    public OptionalDouble best(long step) {
        return losses.headMap(step, true).values().stream()
                .mapToDouble(Double::doubleValue)
                .min();
    }

    /** The least one. */
    public OptionalDouble best() {
        return best(Long.MAX_VALUE);
    }

    /** The first step with the least one; empty = nothing was reported. */
    public OptionalLong bestStep() {
        OptionalDouble best = best();
        return losses.entrySet().stream()
                .filter(entry -> entry.getValue() == best.orElseThrow())
                .mapToLong(Map.Entry::getKey)
                .findFirst();
    }

    /** The mean up to a step; empty = nothing was reported by then. */
    public OptionalDouble mean(long step) {
        return losses.headMap(step, true).values().stream()
                .mapToDouble(Double::doubleValue)
                .average();
    }

    /** By step, ascending. */
    public NavigableMap<Long, Double> losses() {
        return Collections.unmodifiableNavigableMap(losses);
    }
}
