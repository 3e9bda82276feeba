/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.net.PeerGroup;

/**
 * Performs operations over the links of a mesh of few ranks, each of which exchanges frames with each. Every operation
 * begins with its statement, which goes from all to all with the first values behind it, so that ranks which called
 * different operations find that out before any of them waits for a frame that never comes; in pairs it goes to a
 * rank's partners only, and the notice of a difference still goes to all. Few values are combined by every rank, in
 * pairs if the world's size allows that. Of many, each rank gets and combines one part, in the order of ranks, and
 * sends the result to all (reduce-scatter, then all-gather).
 */
public final class DirectExchange implements Exchange {
    /** In larger worlds frames from each rank to each cost more, for few values, than a tree's longer way. */
    public static final int MOST_RANKS = 8;

    private static final int WHOLE = Scratch.RUN_BYTES;
    /** Bytes that go in pairs: more cost more than the messages that this saves. */
    private static final int PAIRS = 64 * 1024;
    /** Bytes that a root sends to each. */
    private static final int SPREAD = 32 * 1024;

    private final PeerGroup group;
    private final int rank;
    private final int size;
    private final Scratch scratch;
    private final Mismatches mismatches;
    private final int[] equalBounds;
    private final FrameMultiplexer multiplexer;
    private final ReducedPart reducedPart;
    private final CollectedParts collectedParts;
    private final ReducedWhole reducedWhole;

    public DirectExchange(PeerGroup group, Scratch scratch) {
        this.group = group;
        this.rank = group.place();
        this.size = group.size();
        this.scratch = scratch;
        this.mismatches = new Mismatches(group.rank(rank));
        this.equalBounds = new int[size + 1];
        this.multiplexer = new FrameMultiplexer(group);
        this.reducedPart = new ReducedPart(rank, size, scratch);
        this.reducedWhole = new ReducedWhole(rank, size, scratch);
        this.collectedParts = new CollectedParts(rank, size);
    }

    @Override
    public void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        if (data.bytes() <= PAIRS && ReducedWhole.isFor(size, data.bytes())) {
            reducedWhole.reduce(combiner, data);
            multiplexer.run(op, reducedWhole);
            reducedWhole.finish(data);
            return;
        }
        if (data.bytes() <= WHOLE) {
            reduceWhole(op, combiner, data);
            return;
        }
        Memory values = scratch.take(data.bytes());
        spreadEqually(data.count());
        reducedPart.collect(combiner, data, equalBounds, values);
        multiplexer.run(op, reducedPart);
        data.copyFrom(0, values, 0, data.count());
    }

    @Override
    public void reduceScatter(Operation op, Combiner combiner, Region data, int[] bounds, Region mine)
            throws BrokenLinkException {
        if (size == 1) {
            data.copyTo(0, scratch.take(data.bytes()), 0, data.count());
            mine.copyFrom(0, scratch.take(data.bytes()), 0, mine.count());
            return;
        }
        Memory values = scratch.take(mine.bytes());
        reducedPart.scatter(combiner, data, bounds, values);
        multiplexer.run(op, reducedPart);
        mine.copyFrom(0, values, 0, mine.count());
    }

    @Override
    public void allGather(Operation op, Region data, int[] bounds) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        int width = data.type().width();
        Memory values = scratch.take(data.bytes());
        data.copyTo(bounds[rank], values, bounds[rank] * width, bounds[rank + 1] - bounds[rank]);
        collectedParts.gather(values, bounds, width, -1);
        multiplexer.run(op, collectedParts);
        data.copyFrom(0, values, 0, data.count());
    }

    /**
     * Sends many values in parts, one to each rank, and then from each to all: no link carries them more than twice.
     */
    @Override
    public void broadcast(Operation op, int root, Region data) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        int width = data.type().width();
        Memory values = scratch.take(data.bytes());
        if (rank == root) {
            data.copyTo(0, values, 0, data.count());
        }
        if (data.bytes() <= SPREAD) {
            collectedParts.spread(values, data.bytes(), root);
            multiplexer.run(op, collectedParts);
        } else {
            spreadEqually(data.count());
            collectedParts.scatter(values, equalBounds, width, root);
            multiplexer.run(op, collectedParts);
            collectedParts.gather(values, equalBounds, width, root);
            multiplexer.goOn(op, collectedParts);
        }
        if (rank != root) {
            data.copyFrom(0, values, 0, data.count());
        }
    }

    @Override
    public void barrier(Operation op) throws BrokenLinkException {
        collectedParts.spread(scratch.take(0), 0, rank);
        multiplexer.run(op, collectedParts);
    }

    @Override
    public void agree(Operation op, long digest) throws BrokenLinkException {
        spreadEqually(size);
        Memory digests = scratch.take(size * Long.BYTES);
        digests.bytes().putLong(rank * Long.BYTES, digest);
        collectedParts.gather(digests, equalBounds, Long.BYTES, -1);
        multiplexer.run(op, collectedParts);
        for (int peer = 0; peer < size; peer++) {
            mismatches.requireSameDigest(
                    op, digest, group.rank(peer), digests.bytes().getLong(peer * Long.BYTES));
        }
    }

    private void spreadEqually(int count) {
        for (int part = 0; part <= size; part++) {
            equalBounds[part] = RingSchedule.start(count, part, size);
        }
    }

    /** All values from each rank, one behind the other; combined in the order of ranks. */
    private void reduceWhole(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        int count = data.count();
        int bytes = data.bytes();
        Memory values = scratch.take(size * bytes);
        for (int part = 0; part <= size; part++) {
            equalBounds[part] = part * count;
        }
        data.copyTo(0, values, rank * bytes, count);
        collectedParts.gather(values, equalBounds, data.type().width(), -1);
        multiplexer.run(op, collectedParts);
        Object sum = scratch.left(data.type());
        Object other = scratch.right(data.type());
        values.get(data.type(), 0, sum, 0, count);
        for (int peer = 1; peer < size; peer++) {
            values.get(data.type(), peer * bytes, other, 0, count);
            combiner.combine(sum, other, count);
        }
        data.store(0, sum, 0, count);
    }
}
