/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Round;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Assigns failure histories to nodes: to each node its own, or that of an agent that is gone and that it follows on the
 * same host. An agent is followed by one node, the first that came after it; only if a worker wanted the agent out of
 * the run, all later nodes on its host follow it.
 *
 * @param byNode the failure history that applies to each node, by node id
 */
record Troubles(Map<String, FailureHistory.Trouble> byNode) {

    Troubles {
        byNode = Map.copyOf(byNode);
    }

    static Troubles of(Snapshot snapshot) {
        Round round = snapshot.round();
        if (round == null || round.history().troubles().isEmpty()) {
            return new Troubles(Map.of());
        }
        List<FailureHistory.Trouble> all = round.history().troubles();
        Map<String, FailureHistory.Trouble> byNode = new HashMap<>();
        all.forEach(trouble -> byNode.put(trouble.nodeId(), trouble));
        List<Node> followers = snapshot.nodes().stream()
                .filter(node -> !byNode.containsKey(node.nodeId()))
                .sorted(Comparator.comparingLong(Node::createRevision))
                .toList();
        if (followers.isEmpty()) {
            return new Troubles(byNode);
        }
        Set<String> taken = new HashSet<>();
        for (FailureHistory.Trouble trouble : all) {
            if (snapshot.node(trouble.nodeId()).isPresent()) {
                continue;
            }
            boolean isOfTheHost = !trouble.excluded().isEmpty();
            followers.stream()
                    .filter(node -> !taken.contains(node.nodeId()))
                    .filter(node ->
                            trouble.hostLabel().equals(node.record().spec().hostLabel())
                                    && node.createRevision() > trouble.seenRevision())
                    .limit(isOfTheHost ? followers.size() : 1)
                    .forEach(node -> {
                        taken.add(node.nodeId());
                        byNode.put(node.nodeId(), trouble);
                    });
        }
        return new Troubles(byNode);
    }

    Optional<FailureHistory.Trouble> of(Node node) {
        return Optional.ofNullable(byNode.get(node.nodeId()));
    }
}
