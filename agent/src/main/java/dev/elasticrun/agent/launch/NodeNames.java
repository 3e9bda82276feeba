/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.rendezvous.record.NodeRecord;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Resolves the node that a user means: by its id, by the start of it, or by its host label. Pure. */
public final class NodeNames {
    private NodeNames() {}

    /**
     * The node's id.
     *
     * @throws IllegalArgumentException when it is none or several; names those that there are
     */
    public static String resolve(String typed, List<NodeRecord> nodes) {
        List<String> exact = those(nodes, node -> node.nodeId().equals(typed));
        List<String> labelled = those(nodes, node -> node.spec().hostLabel().equals(typed));
        List<String> started = those(nodes, node -> node.nodeId().startsWith(typed));
        for (List<String> found : List.of(exact, labelled, started)) {
            if (found.size() == 1) {
                return found.get(0);
            }
            if (found.size() > 1) {
                throw new IllegalArgumentException(
                        "node: " + typed + " (expected: one node; that is " + String.join(", ", found) + ")");
            }
        }
        throw new IllegalArgumentException("node: " + typed + " (expected: one of "
                + nodes.stream().map(NodeRecord::nodeId).collect(Collectors.joining(", ")) + ")");
    }

    private static List<String> those(List<NodeRecord> nodes, Predicate<NodeRecord> wanted) {
        return nodes.stream().filter(wanted).map(NodeRecord::nodeId).toList();
    }
}
