/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.net.MismatchNotice;
import dev.elasticrun.worker.internal.net.RanksDifferException;
import java.nio.ByteBuffer;

/** Compares statements and digests, and reports ranks that have run apart. */
record Mismatches(int rank) {

    /** Compares what a peer states, at the buffer's position, with this rank's operation. */
    void requireSame(Operation op, int peer, ByteBuffer statement) throws BrokenLinkException {
        if (op.matches(statement)) {
            return;
        }
        Operation theirs;
        try {
            theirs = Operation.read(statement);
        } catch (IllegalArgumentException e) {
            throw BrokenLinkException.malformed(peer, "not an operation: " + e);
        }
        String what = "ranks called different operations: rank " + rank + " called " + op.describe() + " as its "
                + op.place() + ", rank " + peer + " called " + theirs.describe() + " as its " + theirs.place();
        throw new RanksDifferException(MismatchNotice.of(rank, peer, what));
    }

    void requireSameDigest(Operation op, long digest, int peer, long theirs) {
        if (theirs != digest) {
            throw new RanksDifferException(MismatchNotice.of(
                    rank,
                    peer,
                    String.format(
                            "%s differs: rank %d has content with digest %016x, rank %d with %016x (expected: the same bytes"
                                    + " on all ranks)",
                            op.describe(), rank, digest, peer, theirs)));
        }
    }
}
