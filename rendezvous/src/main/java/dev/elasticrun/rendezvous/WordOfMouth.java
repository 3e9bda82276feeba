/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Records that came straight from their agents and may be ahead of the store. Each agent's newest counts, and only for
 * the life of the node that the store knows: whether a node is there is for the store alone to say.
 */
final class WordOfMouth {
    private final Map<String, NodeRecord> newest = new HashMap<>();

    void add(NodeRecord record) {
        newest.merge(record.nodeId(), record, (known, heard) -> heard.edition() >= known.edition() ? heard : known);
    }

    /** Forgets all nodes but these. */
    void retain(Set<String> nodeIds) {
        newest.keySet().retainAll(nodeIds);
    }

    /** What is known of a node whose stored record is this. */
    NodeRecord newerOf(NodeRecord stored) {
        NodeRecord heard = newest.get(stored.nodeId());
        if (heard == null) {
            return stored;
        }
        if (heard.leaseId() != stored.leaseId() || heard.edition() <= stored.edition()) {
            newest.remove(stored.nodeId());
            return stored;
        }
        return heard;
    }
}
