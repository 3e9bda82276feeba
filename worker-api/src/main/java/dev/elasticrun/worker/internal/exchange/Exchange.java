/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.CollectiveMismatchException;

/**
 * How the ranks of one round exchange data. For the user thread only. Every call blocks until this rank's part is done;
 * the caller's region is written at completion only, so a call that throws leaves it as it was. Results have the same
 * bits on all ranks, and from run to run for the same world and input.
 *
 * <p>All calls throw {@link BrokenLinkException} when a peer is gone or the round is closed, and
 * {@link CollectiveMismatchException} when ranks called different operations.
 */
public interface Exchange {
    /** Combines the regions of all ranks element by element, in place. */
    void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException;

    /** Fills the region with what the root has there. */
    void broadcast(Operation op, int root, Region data) throws BrokenLinkException;

    /**
     * Each rank contributes a part and gets all, in place.
     *
     * @param bounds one more than ranks, ascending, the same on all ranks: rank r owns the elements from {@code
     *     bounds[r]} to before {@code bounds[r + 1]}
     */
    void allGather(Operation op, Region data, int[] bounds) throws BrokenLinkException;

    /**
     * Combines the regions of all ranks; each rank gets its own part.
     *
     * @param bounds as for {@link #allGather}
     * @param mine where this rank's part goes: as many elements as it owns; may be a part of {@code data}
     */
    void reduceScatter(Operation op, Combiner combiner, Region data, int[] bounds, Region mine)
            throws BrokenLinkException;

    /** Returns when all ranks have called it. */
    void barrier(Operation op) throws BrokenLinkException;

    /** A barrier that fails on all ranks, naming two, if not all have the same digest. */
    void agree(Operation op, long digest) throws BrokenLinkException;
}
