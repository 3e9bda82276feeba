/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All-gather in a mesh: each rank sends its part to each, piece by piece, from where it is to where it belongs. Or, from
 * a root that has all, each rank's part to that rank (scatter). User thread only.
 */
final class CollectedParts implements Pump.Traffic {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** Bytes. */
    private static final int PIECE = 128 * 1024;

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
     * Each rank sends its part to all. Parts lie in the memory as their bounds say.
     *
     * @param first so many bytes of each part have been sent already
     * @param knowing has all parts; -1 = none has
     */
    void gather(Memory memory, int[] bounds, int width, int first, int knowing) {
        use(memory);
        for (int peer = 0; peer < size; peer++) {
            send(peer, bounds, width, rank, peer == knowing ? Integer.MAX_VALUE : first);
            receive(peer, bounds, width, peer, rank == knowing ? Integer.MAX_VALUE : first);
        }
    }

    /** A root, which has all parts, sends each rank its own. */
    void scatter(Memory memory, int[] bounds, int width, int first, int root) {
        use(memory);
        for (int peer = 0; peer < size; peer++) {
            send(peer, bounds, width, peer, rank == root ? first : Integer.MAX_VALUE);
            receive(peer, bounds, width, rank, peer == root ? first : Integer.MAX_VALUE);
        }
    }

    private void use(Memory memory) {
        if (values != memory) {
            values = memory;
            Arrays.setAll(outgoing, peer -> memory.bytes().duplicate());
            Arrays.setAll(targets, peer -> memory.bytes().duplicate());
        }
    }

    private void send(int peer, int[] bounds, int width, int part, int first) {
        int start = bounds[part] * width;
        sendEnd[peer] = bounds[part + 1] * width;
        sent[peer] = peer == rank || first > sendEnd[peer] - start ? sendEnd[peer] : start + first;
    }

    private void receive(int peer, int[] bounds, int width, int part, int first) {
        int start = bounds[part] * width;
        receiveEnd[peer] = bounds[part + 1] * width;
        received[peer] = peer == rank || first > receiveEnd[peer] - start ? receiveEnd[peer] : start + first;
        expect(peer);
    }

    @Override
    public boolean start(int peer, PeerLink link) throws BrokenLinkException {
        if (sent[peer] == sendEnd[peer]) {
            return false;
        }
        int end = Math.min(sent[peer] + PIECE, sendEnd[peer]);
        link.start(NOTHING, outgoing[peer].clear().position(sent[peer]).limit(end));
        sent[peer] = end;
        return true;
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
    public boolean isDone() {
        return Arrays.equals(sent, sendEnd) && Arrays.equals(received, receiveEnd);
    }

    private void expect(int peer) {
        targets[peer].limit(Math.min(received[peer] + PIECE, receiveEnd[peer])).position(received[peer]);
    }
}
