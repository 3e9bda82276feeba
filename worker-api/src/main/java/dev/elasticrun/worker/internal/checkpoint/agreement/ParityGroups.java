/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which local states are a parity set, and which ranks have its seats. Pure: every rank computes it from the same table.
 *
 * <p>Nodes, in the order in which they first appear among the ranks, are dealt into as few groups as their size allows,
 * which differ by one node at most. The first states of the ranks with the same index on the nodes of a group are a set,
 * then those ranks' second ones, if they have taken over orphans, and so on. A node that has fewer states gives a seat
 * without one. On a single node its workers are in the place of nodes.
 *
 * @param nodes the node of each rank
 * @param size most nodes of a group, at least 2; 3 nodes in groups of 2 are one group, as one node protects nothing
 */
public record ParityGroups(List<String> nodes, int size) {
    public ParityGroups {
        nodes = List.copyOf(nodes);
        if (size < 2 || size > WorkerEnv.MAX_CHECKPOINT_PARITY) {
            throw new IllegalArgumentException(
                    "size: " + size + " (expected: 2 to " + WorkerEnv.MAX_CHECKPOINT_PARITY + ")");
        }
    }

    /**
     * A set in this world.
     *
     * @param holders the rank of each seat: the one that keeps its state, and has its block
     */
    public record Seating(ParitySet set, List<Integer> holders) {
        public Seating {
            holders = List.copyOf(holders);
        }

        /** This rank's seat; empty = it has none. */
        public Optional<Integer> seat(int rank) {
            int seat = holders.indexOf(rank);
            return seat < 0 ? Optional.empty() : Optional.of(seat);
        }
    }

    /** Whether the loss of a node loses nothing: false = there is one node only. */
    public boolean protectsNodes() {
        return nodes.stream().distinct().count() > 1;
    }

    /** @param states kept by ranks of this world */
    public List<Seating> seatings(List<CheckpointInventory.Local> states) {
        Map<Integer, List<CheckpointInventory.Local>> byKeeper = new HashMap<>();
        states.stream()
                .sorted(Comparator.comparing((CheckpointInventory.Local state) -> !state.isOwn())
                        .thenComparing(CheckpointInventory.Local::owner))
                .forEach(state -> byKeeper.computeIfAbsent(state.keeper(), any -> new ArrayList<>())
                        .add(state));
        List<Seating> seatings = new ArrayList<>();
        for (List<List<Integer>> group : groups()) {
            List<List<CheckpointInventory.Local>> inTurn =
                    group.stream().map(ranks -> inTurn(ranks, byKeeper)).toList();
            int sets = inTurn.stream().mapToInt(List::size).max().orElse(0);
            for (int row = 0; row < sets; row++) {
                seatings.add(seating(group, inTurn, row));
            }
        }
        return seatings;
    }

    private static Seating seating(List<List<Integer>> group, List<List<CheckpointInventory.Local>> inTurn, int row) {
        List<ParitySet.Member> members = new ArrayList<>();
        List<Integer> holders = new ArrayList<>();
        for (int seat = 0; seat < group.size(); seat++) {
            List<CheckpointInventory.Local> states = inTurn.get(seat);
            List<Integer> ranks = group.get(seat);
            if (row < states.size()) {
                members.add(new ParitySet.Member(seat, states.get(row)));
                holders.add(states.get(row).keeper());
            } else {
                holders.add(ranks.get(row % ranks.size()));
            }
        }
        return new Seating(new ParitySet(group.size(), members), holders);
    }

    /** A node's states: the first of each rank, then the second of each. */
    private static List<CheckpointInventory.Local> inTurn(
            List<Integer> ranks, Map<Integer, List<CheckpointInventory.Local>> byKeeper) {
        List<List<CheckpointInventory.Local>> all = ranks.stream()
                .map(rank -> byKeeper.getOrDefault(rank, List.of()))
                .toList();
        int most = all.stream().mapToInt(List::size).max().orElse(0);
        List<CheckpointInventory.Local> inTurn = new ArrayList<>();
        for (int turn = 0; turn < most; turn++) {
            for (List<CheckpointInventory.Local> states : all) {
                if (turn < states.size()) {
                    inTurn.add(states.get(turn));
                }
            }
        }
        return inTurn;
    }

    /** The ranks of each node of each group; groups of one are left out. */
    private List<List<List<Integer>>> groups() {
        Map<String, List<Integer>> byNode = new LinkedHashMap<>();
        for (int rank = 0; rank < nodes.size(); rank++) {
            byNode.computeIfAbsent(protectsNodes() ? nodes.get(rank) : "rank " + rank, any -> new ArrayList<>())
                    .add(rank);
        }
        List<List<Integer>> units = List.copyOf(byNode.values());
        int count = Math.min((units.size() + size - 1) / size, units.size() / 2);
        List<List<List<Integer>>> groups = new ArrayList<>();
        for (int group = 0; group < count; group++) {
            groups.add(units.subList(group * units.size() / count, (group + 1) * units.size() / count));
        }
        return groups;
    }
}
