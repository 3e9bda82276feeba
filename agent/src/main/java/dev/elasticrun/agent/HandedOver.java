/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.record.HandedResult;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What workers of a run handed over to its launchers. Immutable. */
public final class HandedOver {
    /** No worker handed over anything. */
    public static final HandedOver NOTHING = new HandedOver(new TreeMap<>(), new TreeMap<>());

    private final SortedMap<Integer, byte[]> contents;
    private final SortedMap<Integer, String> missing;

    private HandedOver(SortedMap<Integer, byte[]> contents, SortedMap<Integer, String> missing) {
        this.contents = contents;
        this.missing = Collections.unmodifiableSortedMap(missing);
    }

    static HandedOver of(SortedMap<Integer, HandedResult> results) {
        SortedMap<Integer, byte[]> contents = new TreeMap<>();
        SortedMap<Integer, String> missing = new TreeMap<>();
        results.forEach((rank, result) -> {
            if (result.refusedBecause().isEmpty()) {
                contents.put(rank, result.content());
            } else {
                missing.put(rank, result.refusedBecause());
            }
        });
        return new HandedOver(contents, missing);
    }

    /** Results by rank, as a copy. */
    public SortedMap<Integer, byte[]> contents() {
        SortedMap<Integer, byte[]> copy = new TreeMap<>();
        contents.forEach((rank, content) -> copy.put(rank, content.clone()));
        return copy;
    }

    /** By rank, why a result that was handed over is not here. */
    public SortedMap<Integer, String> missing() {
        return missing;
    }

    @Override
    public String toString() {
        return "results of " + contents.keySet() + (missing.isEmpty() ? "" : ", missing: " + missing);
    }
}
