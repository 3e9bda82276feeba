/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Specifies how a loop classifies what its body throws, for programs whose workers are also connected by another
 * library. Immutable.
 *
 * @param peerError whether an exception reports that the other library has lost a peer; called on the loop's thread
 * @param lostRank the peer that such an exception names, -1 = not known; called on the loop's thread
 * @param peerErrorWait how long after one the loop waits for the agent, from 1 ms. Too short: a worker fails although a
 *     peer was lost, before the loss was noticed. Too long: a failure without a lost peer is noticed only after this
 *     time
 * @param peerErrorLimit number of peer errors in a row, from 1, without a commit of the state between them, that fails
 *     the worker
 */
public record LoopOptions(
        Predicate<Throwable> peerError, ToIntFunction<Throwable> lostRank, Duration peerErrorWait, int peerErrorLimit) {

    /** No exception is a peer's; a wait of 30 s and 5 in a row where that is changed. */
    public static final LoopOptions STANDARD =
            new LoopOptions(thrown -> false, thrown -> -1, Duration.ofSeconds(30), 5);

    /** Throws IllegalArgumentException for a value out of its range. */
    public LoopOptions {
        requireNonNull(peerError, "peerError");
        requireNonNull(lostRank, "lostRank");
        if (peerErrorWait.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("peerErrorWait: " + peerErrorWait + " (expected: 1 ms or more)");
        }
        if (peerErrorLimit < 1) {
            throw new IllegalArgumentException("peerErrorLimit: " + peerErrorLimit + " (expected: 1 or more)");
        }
    }

    /** See {@link #peerError()}. */
    public LoopOptions withPeerError(Predicate<Throwable> accepted) {
        return new LoopOptions(accepted, lostRank, peerErrorWait, peerErrorLimit);
    }

    /** See {@link #lostRank()}. */
    public LoopOptions withLostRank(ToIntFunction<Throwable> rank) {
        return new LoopOptions(peerError, rank, peerErrorWait, peerErrorLimit);
    }

    /** See {@link #peerErrorWait()}. */
    public LoopOptions withPeerErrorWait(Duration wait) {
        return new LoopOptions(peerError, lostRank, wait, peerErrorLimit);
    }

    /** See {@link #peerErrorLimit()}. */
    public LoopOptions withPeerErrorLimit(int limit) {
        return new LoopOptions(peerError, lostRank, peerErrorWait, limit);
    }
}
