/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.bootstrap;

import dev.elasticrun.worker.collective.BootstrapScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Results of bootstrap operations, for the life of the process. Used by the user thread. The index is computed once per
 * change: a round that brings nothing new reads no result.
 */
public final class BootstrapTable {
    private final Map<Long, BootstrapResult> results = new HashMap<>();
    private final Map<Long, Long> digests = new TreeMap<>();
    private BootstrapIndex index = BootstrapIndex.NONE;
    private boolean isStale;

    /** Results that belong to another world's members are dropped. */
    public void enter(long world) {
        List<Long> gone = new ArrayList<>();
        results.forEach((key, result) -> {
            if (result.scope() == BootstrapScope.MEMBERSHIP && result.world() != world) {
                gone.add(key);
            }
        });
        gone.forEach(results::remove);
        gone.forEach(digests::remove);
        isStale |= !gone.isEmpty();
    }

    /** The run begins again: nothing that was computed counts. */
    public void clear() {
        results.clear();
        digests.clear();
        isStale = true;
    }

    public BootstrapIndex index() {
        if (isStale) {
            List<BootstrapIndex.Entry> entries = new ArrayList<>();
            digests.forEach((key, content) -> entries.add(new BootstrapIndex.Entry(key, content)));
            index = new BootstrapIndex(entries);
            isStale = false;
        }
        return index;
    }

    public Optional<BootstrapResult> find(long key) {
        return Optional.ofNullable(results.get(key));
    }

    public void put(BootstrapResult result) {
        results.put(result.key(), result);
        digests.put(result.key(), result.contentDigest());
        isStale = true;
    }
}
