/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes of one incarnation, decoded: each record once, however often all of them are asked for. */
final class LiveNodes {
    private final String incarnation;
    private final PushedRecords pushed;
    private Map<String, Decoded> known = Map.of();

    /** @param node null when the record is of another incarnation */
    private record Decoded(long modRevision, @Nullable Node node) {}

    LiveNodes(String incarnation, PushedRecords pushed) {
        this.incarnation = incarnation;
        this.pushed = pushed;
    }

    /** What is stored now, in the order in which it was written. */
    List<Node> decode(Collection<KeyValue> entries) {
        Map<String, Decoded> current = new HashMap<>(2 * entries.size());
        List<Node> nodes = new ArrayList<>(entries.size());
        List<KeyValue> byAge = new ArrayList<>(entries);
        byAge.sort(Comparator.comparingLong(KeyValue::modRevision));
        for (KeyValue entry : byAge) {
            Decoded decoded = known.get(entry.key());
            if (decoded == null || decoded.modRevision() != entry.modRevision()) {
                decoded = new Decoded(entry.modRevision(), decode(entry));
            }
            current.put(entry.key(), decoded);
            if (decoded.node() != null) {
                nodes.add(decoded.node());
            }
        }
        known = current;
        return pushed.isEmpty() ? nodes : newest(nodes);
    }

    private List<Node> newest(List<Node> nodes) {
        pushed.retain(nodes.stream().map(Node::nodeId).collect(Collectors.toSet()));
        return nodes.stream()
                .map(node -> new Node(pushed.newerOf(node.record()), node.createRevision()))
                .toList();
    }

    private @Nullable Node decode(KeyValue entry) {
        return StoredRecord.incarnationOfNode(entry).equals(incarnation) ? StoredRecord.node(entry) : null;
    }
}
