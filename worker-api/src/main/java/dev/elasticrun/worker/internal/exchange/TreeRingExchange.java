/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.internal.net.PeerGroup;
import dev.elasticrun.worker.internal.net.PeerLink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Operations over the links of a mesh. Every operation begins with its statement going up the tree from all ranks to
 * rank 0 (with the values, if they are few), so that ranks which called different operations meet before any of them can
 * wait for a frame that never comes. Few values come down the same tree; many travel round a ring.
 */
public final class TreeRingExchange implements Exchange {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PeerGroup group;
    private final int rank;
    private final int size;
    private final Scratch scratch;
    private final Mismatches mismatches;
    private final BinomialTree tree;
    /** By root; made when first used. */
    private final @Nullable BinomialTree[] trees;

    private final RingSchedule ring;
    private final int[] equalBounds;
    private final ByteBuffer header = ByteBuffer.allocateDirect(Operation.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final Memory incoming = Memory.allocate(PeerLink.PIECE);

    private interface Combine {
        void accept(int child, ByteBuffer payload) throws BrokenLinkException;
    }

    public TreeRingExchange(PeerGroup group, Scratch scratch) {
        this.group = group;
        this.rank = group.place();
        this.size = group.size();
        this.scratch = scratch;
        this.mismatches = new Mismatches(group.rank(rank));
        this.tree = new BinomialTree(rank, size, 0);
        this.trees = new BinomialTree[size];
        this.ring = new RingSchedule(rank, size);
        this.equalBounds = new int[size + 1];
    }

    @Override
    public void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        Memory values = scratch.take(data.bytes());
        data.copyTo(0, values, 0, data.count());
        if (data.bytes() < PeerLink.PIECE) {
            gather(op, slice(values, 0, data.bytes()), (child, payload) -> {
                requireLength(child, payload, data.bytes());
                combine(op.type(), combiner, values, 0, payload);
            });
            spread(op, tree, values, data.bytes());
        } else {
            for (int chunk = 0; chunk <= size; chunk++) {
                equalBounds[chunk] = RingSchedule.start(data.count(), chunk, size);
            }
            state(op);
            ring(op, 0, ring.steps(), combiner, values, equalBounds);
        }
        data.copyFrom(0, values, 0, data.count());
    }

    @Override
    public void broadcast(Operation op, int root, Region data) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        Memory values = scratch.take(data.bytes());
        if (rank == root) {
            data.copyTo(0, values, 0, data.count());
        }
        state(op);
        spread(op, treeFrom(root), values, data.bytes());
        if (rank != root) {
            data.copyFrom(0, values, 0, data.count());
        }
    }

    @Override
    public void allGather(Operation op, Region data, int[] bounds) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        int width = data.type().width();
        Memory values = scratch.take(data.bytes());
        data.copyTo(bounds[rank], values, bounds[rank] * width, bounds[rank + 1] - bounds[rank]);
        state(op);
        ring(op, ring.gatherStart(), ring.steps(), TreeRingExchange::combineNothing, values, bounds);
        data.copyFrom(0, values, 0, data.count());
    }

    @Override
    public void reduceScatter(Operation op, Combiner combiner, Region data, int[] bounds, Region mine)
            throws BrokenLinkException {
        Memory values = scratch.take(data.bytes());
        data.copyTo(0, values, 0, data.count());
        if (size > 1) {
            state(op);
            ring(op, 0, ring.gatherStart(), combiner, values, bounds);
        }
        mine.copyFrom(0, values, bounds[rank] * data.type().width(), bounds[rank + 1] - bounds[rank]);
    }

    @Override
    public void barrier(Operation op) throws BrokenLinkException {
        state(op);
        spread(op, tree, incoming, 0);
    }

    @Override
    public void agree(Operation op, long digest) throws BrokenLinkException {
        ByteBuffer mine = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        mine.putLong(0, digest);
        gather(op, mine, (child, payload) -> {
            requireLength(child, payload, Long.BYTES);
            mismatches.requireSameDigest(op, digest, group.rank(child), payload.getLong(payload.position()));
        });
        spread(op, tree, incoming, 0);
    }

    private BinomialTree treeFrom(int root) {
        BinomialTree known = trees[root];
        if (known == null) {
            known = new BinomialTree(rank, size, root);
            trees[root] = known;
        }
        return known;
    }

    // Sends this rank's statement to rank 0; all ranks below it in the tree do the same.
    private void state(Operation op) throws BrokenLinkException {
        gather(op, NOTHING, (child, payload) -> requireLength(child, payload, 0));
    }

    private void gather(Operation op, ByteBuffer mine, Combine combine) throws BrokenLinkException {
        for (int i = 0; i < tree.childCount(); i++) {
            combine.accept(tree.child(i), receiveFirst(op, tree.child(i)));
        }
        if (!tree.isRoot()) {
            group.link(tree.parent()).send(header(op), mine);
        }
    }

    private void spread(Operation op, BinomialTree from, Memory values, int bytes) throws BrokenLinkException {
        int at = 0;
        do {
            int length = Math.min(PeerLink.PIECE, bytes - at);
            if (!from.isRoot()) {
                ByteBuffer piece = at == 0
                        ? receiveFirst(op, from.parent())
                        : group.link(from.parent()).receive();
                requireLength(from.parent(), piece, length);
                values.bytes().put(at, piece, piece.position(), length);
            }
            for (int i = from.childCount() - 1; i >= 0; i--) {
                group.link(from.child(i)).send(at == 0 ? header(op) : NOTHING, slice(values, at, length));
            }
            at += length;
        } while (at < bytes);
    }

    // Each rank sends a piece before it waits for one, and a piece always fits into a socket: no ranks wait in a
    // circle.
    private void ring(Operation op, int firstStep, int endStep, Combiner combiner, Memory values, int[] bounds)
            throws BrokenLinkException {
        int width = op.type().width();
        PeerLink next = group.link(ring.next());
        PeerLink previous = group.link(ring.previous());
        boolean isFirst = true;
        for (int step = firstStep; step < endStep; step++) {
            int out = bounds[ring.sentChunk(step)] * width;
            int outEnd = bounds[ring.sentChunk(step) + 1] * width;
            int in = bounds[ring.receivedChunk(step)] * width;
            int inEnd = bounds[ring.receivedChunk(step) + 1] * width;
            while (isFirst || out < outEnd || in < inEnd) {
                int sent = Math.min(PeerLink.PIECE, outEnd - out);
                if (isFirst || sent > 0) {
                    next.send(isFirst ? header(op) : NOTHING, slice(values, out, sent));
                    out += sent;
                }
                int received = Math.min(PeerLink.PIECE, inEnd - in);
                if (isFirst || received > 0) {
                    ByteBuffer piece = isFirst ? receiveFirst(op, ring.previous()) : previous.receive();
                    requireLength(ring.previous(), piece, received);
                    if (ring.isReducing(step)) {
                        combine(op.type(), combiner, values, in, piece);
                    } else {
                        values.bytes().put(in, piece, piece.position(), received);
                    }
                    in += received;
                }
                isFirst = false;
            }
        }
    }

    /** What came is of ranks before this one, as far as there is an order in a ring. */
    private void combine(ElementType type, Combiner combiner, Memory values, int at, ByteBuffer payload) {
        int bytes = payload.remaining();
        incoming.bytes().put(0, payload, payload.position(), bytes);
        scratch.combine(combiner, type, values, at, incoming, bytes);
    }

    private static void combineNothing(Object into, Object other, int count) {
        throw new IllegalStateException("cannot combine: this operation only passes values on");
    }

    private ByteBuffer receiveFirst(Operation op, int peer) throws BrokenLinkException {
        ByteBuffer frame = group.link(peer).receive();
        mismatches.requireSame(op, group.rank(peer), frame);
        return frame.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer header(Operation op) {
        op.write(header.clear());
        return header.flip();
    }

    private static ByteBuffer slice(Memory values, int start, int length) {
        return values.bytes().slice(start, length);
    }

    private static void requireLength(int peer, ByteBuffer payload, int expected) throws BrokenLinkException {
        if (payload.remaining() != expected) {
            throw BrokenLinkException.malformed(
                    peer, payload.remaining() + " bytes in a frame (expected: " + expected + ")");
        }
    }
}
