/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that the planner sees of a run, as of one moment.
 *
 * @param nodes live nodes in the order in which they joined
 * @param round the newest round; null before the first
 * @param verdict set once the run has ended
 * @param failures what workers failed of, in the order in which the coordinator learnt of it
 */
record Snapshot(
        RunSpec spec,
        List<Node> nodes,
        @Nullable Round round,
        @Nullable Verdict verdict,
        List<Failure> failures) {

    Snapshot {
        nodes = nodes.stream()
                .sorted(Comparator.comparingLong(Node::createRevision).thenComparing(Node::nodeId))
                .toList();
        failures = List.copyOf(failures);
    }

    /** Nodes that can work, now or later. */
    List<Node> usable() {
        return nodes.stream().filter(Node::usable).toList();
    }

    boolean any(NodePhase phase) {
        return nodes.stream().anyMatch(node -> node.phase() == phase);
    }

    /** Create revisions of nodes whose death somebody proved. */
    Set<Long> provedDead() {
        return nodes.stream()
                .flatMap(node -> node.record().provedDead().stream())
                .collect(Collectors.toSet());
    }

    Optional<Node> node(String nodeId) {
        return nodes.stream().filter(node -> node.nodeId().equals(nodeId)).findFirst();
    }

    /** The node behind a participant, if it is still the same life of that node. */
    Optional<Node> node(Participant participant) {
        return node(participant.nodeId()).filter(node -> node.createRevision() == participant.createRevision());
    }
}
