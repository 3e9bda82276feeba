/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes a run that has too few nodes: which are there, which are missing, and how those were lost. Pure. */
final class MembershipText {
    private static final int MAX_NAMES = 16;

    private MembershipText() {}

    static String of(int minNodes, List<Node> there) {
        return there.size() + " of at least " + minNodes + " nodes are there ("
                + names(there.stream().map(Node::nodeId).toList()) + ")";
    }

    /** @param there members and newcomers that could continue if they were enough */
    static String of(PlanInput now, List<Node> there) {
        Set<String> present = there.stream().map(Node::nodeId).collect(Collectors.toSet());
        Map<String, String> missing = new LinkedHashMap<>();
        now.round()
                .history()
                .absences()
                .forEach(absence -> missing.put(absence.nodeId(), absence.how().words()));
        now.memberStates()
                .members()
                .forEach(member -> missing.putIfAbsent(
                        member.nodeId(), HistoryBuilder.how(member.state()).words()));
        missing.keySet().removeAll(present);
        now.memberStates().done().forEach(node -> missing.remove(node.nodeId()));
        now.memberStates()
                .preparing()
                .forEach(node -> missing.computeIfPresent(node.nodeId(), (nodeId, how) -> how + ", starting again"));
        now.snapshot().nodes().stream()
                .filter(node -> node.phase() == NodePhase.BACKING_OFF)
                .forEach(node -> missing.put(node.nodeId(), "fails to start its workers, backing off"));
        List<String> parts = new ArrayList<>();
        parts.add(of(now.minNodes(), there));
        if (!now.memberStates().done().isEmpty()) {
            parts.add(now.memberStates().done().size() + " done");
        }
        if (!missing.isEmpty()) {
            parts.add("missing: "
                    + names(missing.entrySet().stream()
                            .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                            .toList()));
        }
        return String.join("; ", parts);
    }

    private static String names(List<String> all) {
        if (all.isEmpty()) {
            return "none";
        }
        String shown = String.join(", ", all.subList(0, Math.min(MAX_NAMES, all.size())));
        return all.size() <= MAX_NAMES ? shown : shown + " and " + (all.size() - MAX_NAMES) + " more";
    }
}
