/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which ranks keep a copy of a rank's local state. Pure: every rank computes it from the same table.
 *
 * <p>The copies go to the next nodes, in the order in which nodes first appear among the ranks, one to each: on a node to
 * the rank whose index there is the owner's index on its own node, so that the ranks of a node share the load. Where nodes
 * are too few, the rest goes to the next ranks of the owner's node: the death of its process does not take those along.
 */
public record LocalPlacement(List<String> nodes, int replicas) {
    public LocalPlacement {
        nodes = List.copyOf(nodes);
        if (replicas < 0) {
            throw new IllegalArgumentException("replicas: " + replicas + " (expected: >= 0)");
        }
    }

    /** Ranks on other nodes than this one's, each on a node of its own, then ranks of this one's; fewer if there are fewer. */
    public List<Integer> successors(int rank) {
        Map<String, List<Integer>> byNode = byNode();
        List<List<Integer>> order = new ArrayList<>(byNode.values());
        List<Integer> own = byNode.getOrDefault(nodes.get(rank), List.of());
        int node = order.indexOf(own);
        int index = own.indexOf(rank);
        List<Integer> successors = new ArrayList<>();
        for (int step = 1; step <= Math.min(replicas, order.size() - 1); step++) {
            List<Integer> ranks = order.get((node + step) % order.size());
            successors.add(ranks.get(index % ranks.size()));
        }
        for (int step = 1; step < own.size() && successors.size() < replicas; step++) {
            successors.add(own.get((index + step) % own.size()));
        }
        return successors;
    }

    /** Copies that can be made on other nodes: one on each at most. */
    public int possible() {
        return Math.min(replicas, byNode().size() - 1);
    }

    private Map<String, List<Integer>> byNode() {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < nodes.size(); rank++) {
            ranks.computeIfAbsent(nodes.get(rank), any -> new ArrayList<>()).add(rank);
        }
        return ranks;
    }
}
