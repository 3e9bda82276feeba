/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.util.List;

/**
 * Who of the nodes that are examined at the same time measures the way to whom. A node is in the store as long as it answers: it
 * leaves when it has dialed enough others, and all that it has dialed have dialed it. Pure.
 *
 * @param self this node
 * @param others those that are in the store now
 */
record Roster(Attendee self, List<Attendee> others) {

    Roster {
        others = List.copyOf(others);
    }

    /** Those that were not dialed yet. */
    List<Attendee> toDial() {
        return others.stream()
                .filter(other -> !self.dialed().contains(other.node()))
                .toList();
    }

    /** Those that this node has dialed, and that have not dialed it. */
    List<String> owing() {
        return others.stream()
                .filter(other -> self.dialed().contains(other.node()))
                .filter(other -> !other.dialed().contains(self.node()))
                .map(Attendee::node)
                .toList();
    }

    /**
     * Whether this node may leave.
     *
     * @param wanted number of others that it waits for
     * @param servesStore whether the store ends with it: then it leaves last
     */
    boolean isDone(int wanted, boolean servesStore) {
        boolean isOver = toDial().isEmpty() && owing().isEmpty();
        return self.dialed().size() >= wanted && (servesStore ? others.isEmpty() : isOver);
    }

    boolean contains(Attendee other) {
        return others.stream().anyMatch(known -> known.node().equals(other.node()));
    }
}
