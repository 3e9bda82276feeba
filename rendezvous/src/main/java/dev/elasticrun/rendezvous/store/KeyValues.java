/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.List;

/**
 * Keys at one revision.
 *
 * @param revision the store's revision; watch from the next one to miss nothing
 * @param clusterId identity of the store: another one means that the data is another
 * @param count how many keys the range has, of which {@code entries} may be a part
 */
public record KeyValues(long revision, long clusterId, List<KeyValue> entries, long count) {

    public KeyValues {
        entries = List.copyOf(entries);
    }

    /** A range that was read as a whole. */
    public KeyValues(long revision, long clusterId, List<KeyValue> entries) {
        this(revision, clusterId, entries, entries.size());
    }
}
