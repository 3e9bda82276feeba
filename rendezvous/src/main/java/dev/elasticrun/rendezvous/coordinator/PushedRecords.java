/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.record.NodeRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Keeps records that agents pushed to the coordinator and that may be ahead of the store. Each agent's newest counts,
 * and only for the registration of the node that is in the store: the store alone decides whether a node is there.
 */
final class PushedRecords {
    // No agent is this far ahead of what it could write: such an edition would count for ever.
    private static final long MAX_AHEAD = 1_000_000;

    private final Map<String, NodeRecord> newest = new HashMap<>();

    /** Returns false for a record that is not the sender's own, and does not take it. */
    boolean add(String speaker, NodeRecord record) {
        if (!record.nodeId().equals(speaker)) {
            return false;
        }
        newest.merge(record.nodeId(), record, (known, pushed) -> edition(pushed) >= edition(known) ? pushed : known);
        return true;
    }

    boolean isEmpty() {
        return newest.isEmpty();
    }

    /** Forgets all nodes but these. */
    void retain(Set<String> nodeIds) {
        newest.keySet().retainAll(nodeIds);
    }

    /** What is known of a node whose stored record is this. */
    NodeRecord newerOf(NodeRecord stored) {
        NodeRecord pushed = newest.get(stored.nodeId());
        if (pushed == null) {
            return stored;
        }
        if (pushed.publication().leaseId() != stored.publication().leaseId()
                || edition(pushed) <= edition(stored)
                || edition(pushed) - edition(stored) > MAX_AHEAD) {
            newest.remove(stored.nodeId());
            return stored;
        }
        return pushed;
    }

    private static long edition(NodeRecord record) {
        return record.publication().edition();
    }
}
