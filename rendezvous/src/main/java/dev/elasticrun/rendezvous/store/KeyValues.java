/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.List;

/**
 * Keys at one revision.
 *
 * @param revision the store's revision; watch from the next one to miss nothing
 * @param clusterId identity of the store: another one means that the data is another
 */
public record KeyValues(long revision, long clusterId, List<KeyValue> entries) {

    public KeyValues {
        entries = List.copyOf(entries);
    }
}
