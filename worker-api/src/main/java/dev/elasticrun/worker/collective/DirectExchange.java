/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Operations over the links of a mesh of few ranks, each of which talks to each. Every operation begins with its
 * statement going from all to all, with the first values behind it, so that ranks which called different operations find
 * that out before any of them waits for a frame that never comes. Few values are combined by every rank. Of many, each
 * rank gets and combines one part, in the order of ranks, and sends the result to all (reduce-scatter, then all-gather).
 */
final class DirectExchange implements Exchange {
    /** In larger worlds so many frames for few values cost more than a tree's longer way. */
    static final int MOST_RANKS = 8;

    private static final int WHOLE = 8 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PeerMesh mesh;
    private final int rank;
    private final int size;
    private final Scratch scratch;
    private final Mismatches mismatches;
    private final int[] equalBounds;
    private final ByteBuffer header = ByteBuffer.allocateDirect(Operation.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer digests = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final Memory incoming = Memory.allocate(PeerLink.PIECE);
    private final Pump pump;
    private final ReducedPart reducedPart;
    private final CollectedParts collectedParts;

    DirectExchange(PeerMesh mesh, Scratch scratch) {
        this.mesh = mesh;
        this.rank = mesh.rank();
        this.size = mesh.size();
        this.scratch = scratch;
        this.mismatches = new Mismatches(rank);
        this.equalBounds = new int[size + 1];
        this.pump = new Pump(mesh);
        this.reducedPart = new ReducedPart(rank, size, scratch);
        this.collectedParts = new CollectedParts(rank, size);
    }

    @Override
    public void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        Memory values = scratch.take(data.bytes());
        if (data.bytes() <= WHOLE) {
            reduceWhole(op, combiner, data, values);
        } else {
            spreadEqually(data.count());
            reduce(
                    op,
                    combiner,
                    data,
                    equalBounds,
                    values,
                    equalBounds[rank] * data.type().width());
            collectedParts.gather(values, equalBounds, data.type().width(), 0, -1);
            pump.run(collectedParts);
        }
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
        reduce(op, combiner, data, bounds, values, 0);
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
        for (int i = 1; i < size; i++) {
            sendFirst(op, (rank + i) % size, firstOf(values, bounds[rank] * width, bounds[rank + 1] * width));
        }
        pump.awaitFrames();
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            receiveFirst(op, peer, values, bounds[peer] * width, bounds[peer + 1] * width);
        }
        collectedParts.gather(values, bounds, width, PeerLink.PIECE, -1);
        pump.run(collectedParts);
        data.copyFrom(0, values, 0, data.count());
    }

    /** Many values go in parts, one to each rank, and then from each to all: nobody's link carries them more than twice. */
    @Override
    public void broadcast(Operation op, Region data) throws BrokenLinkException {
        if (size == 1) {
            return;
        }
        int width = data.type().width();
        Memory values = scratch.take(data.bytes());
        if (rank == op.root()) {
            data.copyTo(0, values, 0, data.count());
        }
        boolean isWhole = data.bytes() <= PeerLink.PIECE;
        spreadEqually(data.count());
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            int from = isWhole ? 0 : equalBounds[peer] * width;
            int end = isWhole ? data.bytes() : equalBounds[peer + 1] * width;
            sendFirst(op, peer, rank == op.root() ? firstOf(values, from, end) : NOTHING);
        }
        pump.awaitFrames();
        int from = isWhole ? 0 : equalBounds[rank] * width;
        int end = isWhole ? data.bytes() : equalBounds[rank + 1] * width;
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            receiveFirst(op, peer, values, from, peer == op.root() ? end : from);
        }
        if (!isWhole) {
            collectedParts.scatter(values, equalBounds, width, PeerLink.PIECE, op.root());
            pump.run(collectedParts);
            collectedParts.gather(values, equalBounds, width, 0, op.root());
            pump.run(collectedParts);
        }
        if (rank != op.root()) {
            data.copyFrom(0, values, 0, data.count());
        }
    }

    @Override
    public void barrier(Operation op) throws BrokenLinkException {
        for (int i = 1; i < size; i++) {
            sendFirst(op, (rank + i) % size, NOTHING);
        }
        pump.awaitFrames();
        for (int i = 1; i < size; i++) {
            receiveFirst(op, (rank + i) % size, incoming, 0, 0);
        }
    }

    @Override
    public void agree(Operation op, long digest) throws BrokenLinkException {
        for (int i = 1; i < size; i++) {
            digests.putLong(0, digest);
            sendFirst(op, (rank + i) % size, digests.clear());
        }
        pump.awaitFrames();
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            receiveFirst(op, peer, incoming, 0, Long.BYTES);
            mismatches.requireSameDigest(op, digest, peer, incoming.bytes().getLong(0));
        }
    }

    private void spreadEqually(int count) {
        for (int part = 0; part <= size; part++) {
            equalBounds[part] = RingSchedule.start(count, part, size);
        }
    }

    /** All values from each rank; combined in the order of ranks. */
    private void reduceWhole(Operation op, Combiner combiner, Region data, Memory values) throws BrokenLinkException {
        int bytes = data.bytes();
        data.copyTo(0, values, 0, data.count());
        for (int i = 1; i < size; i++) {
            sendFirst(op, (rank + i) % size, firstOf(values, 0, bytes));
        }
        pump.awaitFrames();
        for (int peer = 0; peer < size; peer++) {
            if (peer == 0) {
                if (rank != 0) {
                    receiveFirst(op, 0, values, 0, bytes);
                }
            } else {
                if (peer == rank) {
                    data.copyTo(0, incoming, 0, data.count());
                } else {
                    receiveFirst(op, peer, incoming, 0, bytes);
                }
                scratch.combine(combiner, data.type(), values, 0, incoming, bytes);
            }
        }
    }

    /** This rank's part of the result goes to the values, from a byte on. */
    private void reduce(Operation op, Combiner combiner, Region data, int[] bounds, Memory values, int at)
            throws BrokenLinkException {
        reducedPart.begin(combiner, data, bounds, values, at);
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            sendFirst(op, peer, reducedPart.outgoing(peer, PeerLink.PIECE));
        }
        pump.awaitFrames();
        reducedPart.expect(PeerLink.PIECE);
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            ByteBuffer target = reducedPart.target(peer);
            if (target == null) {
                receiveFirst(op, peer, incoming, 0, 0);
            } else {
                ByteBuffer frame = receiveFirst(op, peer, target.remaining());
                target.put(frame);
                reducedPart.arrived(peer);
            }
        }
        pump.run(reducedPart);
    }

    private void sendFirst(Operation op, int peer, ByteBuffer values) throws BrokenLinkException {
        op.write(header.clear());
        mesh.link(peer).send(header.flip(), values);
    }

    private static ByteBuffer firstOf(Memory values, int from, int end) {
        return values.bytes().slice(from, Math.min(PeerLink.PIECE, end - from));
    }

    private void receiveFirst(Operation op, int peer, Memory into, int from, int end) throws BrokenLinkException {
        ByteBuffer frame = receiveFirst(op, peer, Math.min(PeerLink.PIECE, end - from));
        into.bytes().put(from, frame, frame.position(), frame.remaining());
    }

    private ByteBuffer receiveFirst(Operation op, int peer, int length) throws BrokenLinkException {
        ByteBuffer frame = mesh.link(peer).receive();
        mismatches.requireSame(op, peer, frame);
        if (frame.remaining() != length) {
            throw BrokenLinkException.malformed(
                    peer, frame.remaining() + " bytes in a frame (expected: " + length + ")");
        }
        return frame;
    }
}
