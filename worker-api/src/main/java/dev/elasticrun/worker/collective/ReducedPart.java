/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reduce-scatter in a mesh: each rank sends each its part, piece by piece, and combines its own part's pieces in the order
 * of ranks, as soon as it has one from each. User thread only.
 */
final class ReducedPart implements Pump.Traffic {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** Bytes: what it holds of all peers stays in a core's second cache. */
    private static final int PIECE = 64 * 1024;

    private final int rank;
    private final int size;
    private final Scratch scratch;
    private final Memory[] outgoing;
    private final Memory[] incoming;
    private final ByteBuffer[] frames;
    private final ByteBuffer[] targets;
    /** By rank: bytes of its part that are on their way. */
    private final int[] sent;

    private final boolean[] hasArrived;
    private Combiner combiner = (into, other, count) -> {};
    private Region data = new Region();
    private int[] bounds = {};
    private Memory result = Memory.allocate(0);
    private int resultAt;
    private int done;
    private int expected;
    private int missing;

    ReducedPart(int rank, int size, Scratch scratch) {
        this.rank = rank;
        this.size = size;
        this.scratch = scratch;
        this.outgoing = new Memory[size];
        this.incoming = new Memory[size];
        this.frames = new ByteBuffer[size];
        this.targets = new ByteBuffer[size];
        this.sent = new int[size];
        this.hasArrived = new boolean[size];
        for (int peer = 0; peer < size; peer++) {
            int bytes = peer == rank ? 0 : PIECE;
            outgoing[peer] = Memory.allocate(bytes);
            incoming[peer] = Memory.allocate(bytes);
            frames[peer] = outgoing[peer].bytes().duplicate();
            targets[peer] = incoming[peer].bytes().duplicate();
        }
    }

    /** The part of this rank will be in the memory from byte {@code at} on. */
    void begin(Combiner with, Region values, int[] partBounds, Memory into, int at) {
        combiner = with;
        data = values;
        bounds = partBounds;
        result = into;
        resultAt = at;
        done = 0;
        Arrays.fill(sent, 0);
    }

    /** The next piece of that peer's part, at most that long; it counts as sent. */
    ByteBuffer outgoing(int peer, int most) {
        int width = data.type().width();
        int bytes = Math.min(Math.min(most, PIECE), length(peer) - sent[peer]);
        data.copyTo(bounds[peer] + sent[peer] / width, outgoing[peer], 0, bytes / width);
        sent[peer] += bytes;
        return frames[peer].clear().limit(bytes);
    }

    /** The next pieces of this rank's part are at most that long. */
    void expect(int most) {
        expected = Math.min(Math.min(most, PIECE), length(rank) - done);
        missing = expected > 0 ? size - 1 : 0;
        for (int peer = 0; peer < size; peer++) {
            targets[peer].clear().limit(peer == rank ? 0 : expected);
            hasArrived[peer] = false;
        }
    }

    @Override
    public boolean start(int peer, PeerLink link) throws BrokenLinkException {
        if (sent[peer] == length(peer)) {
            return false;
        }
        link.start(NOTHING, outgoing(peer, PIECE));
        return true;
    }

    @Override
    public @Nullable ByteBuffer target(int peer) {
        return missing == 0 || hasArrived[peer] ? null : targets[peer];
    }

    @Override
    public void arrived(int peer) {
        hasArrived[peer] = true;
        missing--;
        if (missing == 0) {
            combine();
            done += expected;
            expect(PIECE);
        }
    }

    @Override
    public boolean isDone() {
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank && sent[peer] < length(peer)) {
                return false;
            }
        }
        return missing == 0;
    }

    private int length(int part) {
        return (bounds[part + 1] - bounds[part]) * data.type().width();
    }

    private void combine() {
        ElementType type = data.type();
        int width = type.width();
        Object left = scratch.left(type);
        Object right = scratch.right(type);
        for (int at = 0; at < expected; at += Scratch.RUN_BYTES) {
            int count = Math.min(Scratch.RUN_BYTES, expected - at) / width;
            for (int peer = 0; peer < size; peer++) {
                Object values = peer == 0 ? left : right;
                if (peer == rank) {
                    data.load(bounds[rank] + (done + at) / width, values, 0, count);
                } else {
                    incoming[peer].get(type, at, values, 0, count);
                }
                if (peer > 0) {
                    combiner.combine(left, right, count);
                }
            }
            result.put(type, resultAt + done + at, left, 0, count);
        }
    }
}
