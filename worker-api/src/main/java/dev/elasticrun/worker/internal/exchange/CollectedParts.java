/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All-gather in a mesh: each rank sends its part to each, piece by piece, from where it is to where it belongs. Or, from
 * a root that has all, each rank's part to that rank (scatter), or all to all. User thread only.
 */
final class CollectedParts implements FrameMultiplexer.Traffic {
    /** Bytes: a frame that was begun is completed whatever happens. */
    private static final int PIECE = 256 * 1024;

    private final int rank;
    private final int size;
    private final ByteBuffer[] outgoing;
    private final ByteBuffer[] targets;
    private final int[] sent;
    private final int[] sendEnd;
    private final int[] received;
    private final int[] receiveEnd;
    private @Nullable Memory values;

    CollectedParts(int rank, int size) {
        this.rank = rank;
        this.size = size;
        this.outgoing = new ByteBuffer[size];
        this.targets = new ByteBuffer[size];
        this.sent = new int[size];
        this.sendEnd = new int[size];
        this.received = new int[size];
        this.receiveEnd = new int[size];
    }

    /**
     * Each rank sends its part to all. The bounds specify where parts lie in the memory.
     *
     * @param width of an element, in bytes
     * @param knowing has all parts; -1 = none has
     */
    void gather(Memory memory, int[] bounds, int width, int knowing) {
        use(memory);
        for (int peer = 0; peer < size; peer++) {
            send(peer, peer == knowing ? 0 : bounds[rank] * width, peer == knowing ? 0 : bounds[rank + 1] * width);
            receive(peer, rank == knowing ? 0 : bounds[peer] * width, rank == knowing ? 0 : bounds[peer + 1] * width);
        }
    }

    /** A root, which has all parts, sends each rank its own. */
    void scatter(Memory memory, int[] bounds, int width, int root) {
        use(memory);
        for (int peer = 0; peer < size; peer++) {
            send(peer, rank == root ? bounds[peer] * width : 0, rank == root ? bounds[peer + 1] * width : 0);
            receive(peer, peer == root ? bounds[rank] * width : 0, peer == root ? bounds[rank + 1] * width : 0);
        }
    }

    /** A root sends each rank all. */
    void spread(Memory memory, int bytes, int root) {
        use(memory);
        for (int peer = 0; peer < size; peer++) {
            send(peer, 0, rank == root ? bytes : 0);
            receive(peer, 0, peer == root ? bytes : 0);
        }
    }

    /** Places that were known are not made again, so that a call need not allocate any. */
    private void use(Memory memory) {
        if (values != memory) {
            values = memory;
            Arrays.setAll(outgoing, peer -> memory.bytes().duplicate());
            Arrays.setAll(targets, peer -> memory.bytes().duplicate());
        }
    }

    private void send(int peer, int from, int end) {
        sent[peer] = peer == rank ? end : from;
        sendEnd[peer] = end;
    }

    private void receive(int peer, int from, int end) {
        received[peer] = peer == rank ? end : from;
        receiveEnd[peer] = end;
        expect(peer);
    }

    @Override
    public @Nullable ByteBuffer outgoing(int peer) {
        if (sent[peer] == sendEnd[peer]) {
            return null;
        }
        int from = sent[peer];
        sent[peer] = Math.min(from + PIECE, sendEnd[peer]);
        return outgoing[peer].clear().position(from).limit(sent[peer]);
    }

    @Override
    public @Nullable ByteBuffer target(int peer) {
        return received[peer] == receiveEnd[peer] ? null : targets[peer];
    }

    @Override
    public void arrived(int peer) {
        received[peer] = targets[peer].limit();
        expect(peer);
    }

    @Override
    public boolean isAwaited(int peer) {
        return received[peer] < receiveEnd[peer];
    }

    @Override
    public boolean isDone() {
        return Arrays.equals(sent, sendEnd) && Arrays.equals(received, receiveEnd);
    }

    private void expect(int peer) {
        targets[peer].clear().position(received[peer]).limit(Math.min(received[peer] + PIECE, receiveEnd[peer]));
    }
}
