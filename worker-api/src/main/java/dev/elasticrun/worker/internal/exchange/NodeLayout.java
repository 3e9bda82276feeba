/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Which ranks of a round are on which node; nodes are counted as their ranks come. The first rank of a node leads it. */
public final class NodeLayout {
    /** By node the first rank, and behind them the number of ranks. */
    private final int[] firsts;

    private NodeLayout(List<Integer> firsts) {
        this.firsts = firsts.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Empty if leaders would be of no use (no node has several ranks, or there is only one node), or if they would combine
     * values in another order than that of ranks: the ranks of a node do not follow each other.
     *
     * @param nodes by rank: the node's name
     */
    public static Optional<NodeLayout> of(List<String> nodes) {
        List<Integer> firsts = new ArrayList<>();
        for (int rank = 0; rank < nodes.size(); rank++) {
            if (rank == 0 || !nodes.get(rank).equals(nodes.get(rank - 1))) {
                firsts.add(rank);
            }
        }
        int count = firsts.size();
        firsts.add(nodes.size());
        boolean isInOrder = nodes.stream().distinct().count() == count;
        return isInOrder && count > 1 && count < nodes.size() ? Optional.of(new NodeLayout(firsts)) : Optional.empty();
    }

    int nodes() {
        return firsts.length - 1;
    }

    public int nodeOf(int rank) {
        int node = 0;
        while (firsts[node + 1] <= rank) {
            node++;
        }
        return node;
    }

    /** The rank that leads the node; of the number of nodes the number of ranks. */
    int first(int node) {
        return firsts[node];
    }

    public List<Integer> members(int node) {
        return IntStream.range(firsts[node], firsts[node + 1]).boxed().toList();
    }

    public List<Integer> leaders() {
        return IntStream.range(0, nodes()).map(this::first).boxed().toList();
    }
}
