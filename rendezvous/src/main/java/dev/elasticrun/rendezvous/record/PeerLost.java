/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/**
 * A worker's report that its link to a peer broke in a round. A rank that reports the loss of itself stands for its
 * node, whose lease was in doubt in that round: its workers had closed all links, and continued when the lease was
 * renewed.
 */
public record PeerLost(long round, int reporterRank, int lostRank) {

    /** A node with this rank continued in a round after its lease had been in doubt. */
    public static PeerLost ofDoubt(long round, int rank) {
        return new PeerLost(round, rank, rank);
    }

    /** Whether it is no worker's report, see {@link #ofDoubt}. */
    public boolean isDoubt() {
        return reporterRank == lostRank;
    }
}
