/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import java.util.Optional;

/**
 * The joint result of all ranks for the last boosting. It is a result of the collective and nothing else: a worker that
 * takes another's place and repeats the operations draws the same conclusions as the others did.
 *
 * @param isGood whether every rank has boosted
 * @param isOneModel whether all that have boosted came to the same state; valid only when all are good
 * @param identity of that state
 * @param failures how often in a row, in this round, the rank with most failures has failed
 */
record Vote(boolean isGood, boolean isOneModel, long identity, int failures) {
    private static final int WORDS = 4;

    /** All ranks at the same place; empty = this rank has nothing new. */
    static Vote hold(Collective collective, Optional<byte[]> candidate, int failures) {
        long[] ballot = ballot(candidate, failures);
        collective.allReduce(ballot, ReduceOp.MIN);
        return of(ballot);
    }

    /** The minimum of all ballots decides the vote. */
    static long[] ballot(Optional<byte[]> candidate, int failures) {
        long identity = candidate.map(Digests::identity).orElse(0L);
        return new long[] {candidate.isPresent() ? 1 : 0, identity, -identity, -failures};
    }

    static Vote of(long[] least) {
        if (least.length != WORDS) {
            throw new IllegalArgumentException("ballot: " + least.length + " words (expected: " + WORDS + ")");
        }
        boolean isGood = least[0] == 1;
        return new Vote(isGood, !isGood || least[1] == -least[2], least[1], Math.toIntExact(-least[3]));
    }

    /** Whether these bytes are what all ranks agreed on. */
    boolean isFor(byte[] state) {
        return Digests.identity(state) == identity;
    }
}
