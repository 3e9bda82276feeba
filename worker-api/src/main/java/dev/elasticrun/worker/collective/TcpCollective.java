/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The operations over a mesh, on scratch buffers. Every operation begins with its statement going up the tree from all
 * ranks to rank 0 (with the values, if they are few), so that ranks which called different operations meet before any of
 * them can wait for a frame that never comes. One thread.
 */
final class TcpCollective {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PeerMesh mesh;
    private final int rank;
    private final int size;
    private final BinomialTree tree;
    private final ByteBuffer header = ByteBuffer.allocateDirect(Operation.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private interface Combine {
        void accept(int child, ByteBuffer payload) throws BrokenLinkException;
    }

    TcpCollective(PeerMesh mesh) {
        this.mesh = mesh;
        this.rank = mesh.rank();
        this.size = mesh.size();
        this.tree = new BinomialTree(rank, size, 0);
    }

    /** Reduces {@code data} in place, from 0 to its limit. */
    void allReduce(Operation op, ReduceOp reduce, ByteBuffer data) throws BrokenLinkException {
        if (size == 1 || data.limit() < PeerLink.PIECE) {
            gather(op, data, (child, payload) -> {
                requireLength(child, payload, data.limit());
                op.type().reduce(reduce, slice(data, 0, data.limit()), payload);
            });
            spread(op, tree, data);
        } else {
            gather(op, NOTHING, (child, payload) -> requireLength(child, payload, 0));
            ring(op, reduce, data);
        }
    }

    /** Fills {@code data}, from 0 to its limit, with what the root has there. */
    void broadcast(Operation op, ByteBuffer data) throws BrokenLinkException {
        gather(op, NOTHING, (child, payload) -> requireLength(child, payload, 0));
        spread(op, new BinomialTree(rank, size, op.root()), data);
    }

    /** Returns when all ranks have called it. */
    void barrier(Operation op) throws BrokenLinkException {
        gather(op, NOTHING, (child, payload) -> requireLength(child, payload, 0));
        spread(op, tree, NOTHING);
    }

    /** A barrier that fails on all ranks, naming two, if not all have the same digest. */
    void agree(Operation op, long digest) throws BrokenLinkException {
        ByteBuffer mine = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        mine.putLong(0, digest);
        gather(op, mine, (child, payload) -> {
            requireLength(child, payload, Long.BYTES);
            long theirs = payload.getLong(payload.position());
            if (theirs != digest) {
                throw new CollectiveMismatchException(String.format(
                        "%s differs: rank %d has content with digest %016x, rank %d with %016x (expected: the same bytes"
                                + " on all ranks)",
                        op.describe(), rank, digest, child, theirs));
            }
        });
        spread(op, tree, NOTHING);
    }

    private void gather(Operation op, ByteBuffer mine, Combine combine) throws BrokenLinkException {
        for (int child : tree.children()) {
            combine.accept(child, receiveFirst(op, child));
        }
        if (!tree.isRoot()) {
            mesh.link(tree.parent()).send(header(op), slice(mine, 0, mine.limit()));
        }
    }

    private void spread(Operation op, BinomialTree from, ByteBuffer data) throws BrokenLinkException {
        int[] children = from.children();
        int at = 0;
        do {
            int length = Math.min(PeerLink.PIECE, data.limit() - at);
            if (!from.isRoot()) {
                ByteBuffer piece = at == 0
                        ? receiveFirst(op, from.parent())
                        : mesh.link(from.parent()).receive();
                requireLength(from.parent(), piece, length);
                data.put(at, piece, piece.position(), length);
            }
            for (int i = children.length - 1; i >= 0; i--) {
                mesh.link(children[i]).send(at == 0 ? header(op) : NOTHING, slice(data, at, length));
            }
            at += length;
        } while (at < data.limit());
    }

    /** Each rank sends a piece before it waits for one, and a piece always fits into a socket: nobody waits in a circle. */
    private void ring(Operation op, ReduceOp reduce, ByteBuffer data) throws BrokenLinkException {
        int width = op.type().width();
        RingSchedule ring = new RingSchedule(rank, size, data.limit() / width);
        PeerLink next = mesh.link(ring.next());
        PeerLink previous = mesh.link(ring.previous());
        boolean isFirst = true;
        for (int step = 0; step < ring.steps(); step++) {
            int out = ring.start(ring.sentChunk(step)) * width;
            int outEnd = out + ring.length(ring.sentChunk(step)) * width;
            int in = ring.start(ring.receivedChunk(step)) * width;
            int inEnd = in + ring.length(ring.receivedChunk(step)) * width;
            while (out < outEnd || in < inEnd) {
                int sent = Math.min(PeerLink.PIECE, outEnd - out);
                if (sent > 0) {
                    next.send(isFirst ? header(op) : NOTHING, slice(data, out, sent));
                    out += sent;
                }
                int received = Math.min(PeerLink.PIECE, inEnd - in);
                if (received > 0) {
                    ByteBuffer piece = isFirst ? receiveFirst(op, ring.previous()) : previous.receive();
                    requireLength(ring.previous(), piece, received);
                    if (ring.isReducing(step)) {
                        op.type().reduce(reduce, slice(data, in, received), piece);
                    } else {
                        data.put(in, piece, piece.position(), received);
                    }
                    in += received;
                }
                isFirst = false;
            }
        }
    }

    private ByteBuffer receiveFirst(Operation op, int peer) throws BrokenLinkException {
        ByteBuffer frame = mesh.link(peer).receive();
        Operation theirs;
        try {
            theirs = Operation.read(frame);
        } catch (IllegalArgumentException e) {
            throw new BrokenLinkException(peer, "not an operation: " + e);
        }
        if (!theirs.equals(op)) {
            throw new CollectiveMismatchException("ranks called different operations: rank " + rank + " called "
                    + op.describe() + " as its operation " + op.seq() + ", rank " + peer + " called "
                    + theirs.describe() + " as its operation " + theirs.seq());
        }
        return frame.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer header(Operation op) {
        op.write(header.clear());
        return header.flip();
    }

    private static ByteBuffer slice(ByteBuffer data, int start, int length) {
        return data.slice(start, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void requireLength(int peer, ByteBuffer payload, int expected) throws BrokenLinkException {
        if (payload.remaining() != expected) {
            throw new BrokenLinkException(peer, payload.remaining() + " bytes in a frame (expected: " + expected + ")");
        }
    }
}
