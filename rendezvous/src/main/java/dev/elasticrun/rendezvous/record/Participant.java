/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;
import java.util.OptionalInt;

/**
 * A node in a round.
 *
 * @param createRevision create revision of the node's key: a key that came back is another registration of the node
 * @param generation the node's worker group when it got these ranks
 * @param firstRank rank of the first seat; the others follow
 * @param seats its workers in the round, by rank; fewer than the node has slots only under a policy of elastic workers
 */
public record Participant(NodeSpec spec, long createRevision, int generation, int firstRank, List<Seat> seats) {

    /**
     * One worker of a round.
     *
     * @param slot local rank
     * @param attempt in which its process was started
     * @param port data-plane port on the node's address; 0 = not known
     */
    public record Seat(int slot, int attempt, int port) {
        /** Whether it is for this worker. */
        public boolean isOf(int workerSlot, int workerAttempt) {
            return slot == workerSlot && attempt == workerAttempt;
        }
    }

    public Participant {
        seats = List.copyOf(seats);
    }

    public String nodeId() {
        return spec.nodeId();
    }

    /** Number of its workers in the round. */
    public int size() {
        return seats.size();
    }

    /** The rank after its last one. */
    public int endRank() {
        return firstRank + seats.size();
    }

    /** Whether one of its workers has that rank. */
    public boolean hasRank(int rank) {
        return rank >= firstRank && rank < endRank();
    }

    /** The worker of a rank that it has. */
    public Seat seatOf(int rank) {
        return seats.get(rank - firstRank);
    }

    /** The rank of that worker; empty when the round is without it. */
    public OptionalInt rankOf(int slot, int attempt) {
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).isOf(slot, attempt)) {
                return OptionalInt.of(firstRank + i);
            }
        }
        return OptionalInt.empty();
    }

    /** The rank of the worker in that slot; empty when the round is without one. */
    public OptionalInt rank(int slot) {
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).slot() == slot) {
                return OptionalInt.of(firstRank + i);
            }
        }
        return OptionalInt.empty();
    }

    public Participant withSeats(List<Seat> others) {
        return new Participant(spec, createRevision, generation, firstRank, others);
    }
}
