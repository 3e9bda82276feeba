/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/**
 * One worker as its agent publishes it.
 *
 * @param slot local rank
 * @param attempt generation of the node's worker group in which it was started
 * @param pid process id; 0 = not started
 * @param port data-plane port on the node's address; 0 = not known yet
 * @param offered whether it can be given a rank when its node can be put into a round; always, but under a policy of
 *     elastic workers
 * @param lastWorked of one that ended with exit code 0, under a policy of elastic workers or when its node is DONE: newest
 *     round in which workers of its node completed an operation with all others; 0 = none, or it has not ended so
 */
public record WorkerRecord(int slot, int attempt, long pid, int port, boolean offered, long lastWorked) {

    /** One that has a rank whenever its node has. */
    public WorkerRecord(int slot, int attempt, long pid, int port) {
        this(slot, attempt, pid, port, true, 0);
    }

    /** Whether it did all its work before this round, in which it has a rank, and its peers cannot begin without it. */
    boolean endedBefore(Round round) {
        return lastWorked > 0 && lastWorked < round.number();
    }

    Participant.Seat seat() {
        return new Participant.Seat(slot, attempt, port);
    }
}
