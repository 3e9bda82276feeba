/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.reuse;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** What this process has loaded for one run and keeps for the next ones: under each name the newest. Safe for use by any thread. */
public final class KeptData {
    // Guarded by this.
    private final Map<String, Kept> kept = new HashMap<>();

    private record Kept(Object key, Object value) {}

    /** What is kept under the name, if its key is equal; else what is loaded, which is kept from then on, unless it is refused. */
    public synchronized Object get(String name, Object key, Callable<?> load) throws Exception {
        Kept known = kept.get(name);
        if (known != null && known.key().equals(key)) {
            return known.value();
        }
        // Before the next is loaded: both may not fit into memory.
        kept.remove(name);
        Object value = load.call();
        kept.put(name, new Kept(key, value));
        return value;
    }
}
