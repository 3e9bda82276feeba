/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.cli.text.Durations;
import dev.elasticrun.proto.NodeStatus;
import java.util.List;

/** A node in {@code status}, as text and as JSON. Pure. */
final class NodeRow {
    static final List<String> HEADINGS = List.of("NODE", "PHASE", "WORKERS", "ADDRESS", "");

    private NodeRow() {}

    /** One for each heading. */
    static List<String> cells(NodeStatus node, boolean isCoordinator) {
        return List.of(
                node.getNodeId() + (isCoordinator ? " *" : ""),
                node.getKeptOut().isEmpty() ? node.getPhase().replace('_', ' ') : "KEPT OUT",
                Integer.toString(node.getWorkersCount()),
                node.getAddress(),
                note(node));
    }

    /** Names stay as they are, new ones may come; what is not known is null. */
    static void json(NodeStatus node, ObjectNode json) {
        boolean isTimed = !node.getKeptOut().isEmpty() && node.getKeptOutMillis() >= 0;
        json.put("node", node.getNodeId());
        json.put("host", node.getHostLabel());
        json.put("address", node.getAddress());
        json.put("phase", node.getPhase());
        json.put("participant", node.getParticipant());
        json.put("answered", node.getSilence().isEmpty());
        json.put("silence", node.getSilence());
        json.put("kept_out", node.getKeptOut());
        json.put("kept_out_ms", isTimed ? (Long) node.getKeptOutMillis() : null);
    }

    private static String note(NodeStatus node) {
        String kept = node.getKeptOut().isEmpty()
                ? ""
                : node.getKeptOut()
                        + (node.getKeptOutMillis() < 0
                                ? ""
                                : "; for " + Durations.text(node.getKeptOutMillis()) + " more");
        return node.getSilence().isEmpty() ? kept : "does not answer: " + node.getSilence();
    }
}
