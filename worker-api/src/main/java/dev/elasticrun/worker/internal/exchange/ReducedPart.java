/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ElementType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reduce-scatter in a mesh, and if wanted the all-gather behind it: each rank sends each its part, piece by piece, and
 * combines its own part's pieces in the order of ranks, as soon as it has one from each. Combined pieces go to all, behind
 * the values, while others are still on their way. User thread only.
 */
final class ReducedPart implements FrameMultiplexer.Traffic {
    /** Bytes of a piece from or to all peers: what is under way stays in a core's second cache. */
    private static final int PIECES = 512 * 1024;

    private static final int LEAST_PIECE = 64 * 1024;
    /** A piece is a multiple of that, and so of every element's width. */
    private static final int GRAIN = 4096;

    private final int rank;
    private final int size;
    private final int piece;
    private final Scratch scratch;
    private final Memory[] outgoing;
    private final Memory[] incoming;
    private final ByteBuffer[] frames;
    private final ByteBuffer[] targets;
    /** By rank: bytes of its part, then of this rank's result, that are on their way. */
    private final int[] sent;
    /** By rank: bytes of its result that are there. */
    private final int[] collected;

    private final ByteBuffer[] results;
    private final ByteBuffer[] resultTargets;
    private final boolean[] hasArrived;
    private Combiner combiner = (into, other, count) -> {};
    private Region data = new Region();
    private int[] bounds = {};
    private Memory result = Memory.allocate(0);
    private boolean isCollecting;
    private int resultAt;
    private int done;
    private int expected;
    private int missing;

    ReducedPart(int rank, int size, Scratch scratch) {
        this.rank = rank;
        this.size = size;
        this.piece = Math.max(LEAST_PIECE, PIECES / Math.max(1, size - 1) / GRAIN * GRAIN);
        this.scratch = scratch;
        this.outgoing = new Memory[size];
        this.incoming = new Memory[size];
        this.frames = new ByteBuffer[size];
        this.targets = new ByteBuffer[size];
        this.results = new ByteBuffer[size];
        this.resultTargets = new ByteBuffer[size];
        this.sent = new int[size];
        this.collected = new int[size];
        this.hasArrived = new boolean[size];
        for (int peer = 0; peer < size; peer++) {
            int bytes = peer == rank ? 0 : piece;
            outgoing[peer] = Memory.allocate(bytes);
            incoming[peer] = Memory.allocate(bytes);
            frames[peer] = outgoing[peer].bytes().duplicate();
            targets[peer] = incoming[peer].bytes().duplicate();
        }
    }

    /** Only the part of this rank is wanted, in the memory from byte 0 on. */
    void scatter(Combiner with, Region values, int[] partBounds, Memory into) {
        begin(with, values, partBounds, into, 0);
        isCollecting = false;
    }

    /** All parts are wanted on all ranks, as they lie. None is empty. */
    void collect(Combiner with, Region values, int[] partBounds, Memory into) {
        begin(with, values, partBounds, into, partBounds[rank] * values.type().width());
        isCollecting = true;
        Arrays.fill(collected, 0);
        for (int peer = 0; peer < size; peer++) {
            expectResult(peer);
        }
    }

    private void begin(Combiner with, Region values, int[] partBounds, Memory into, int at) {
        if (result != into) {
            Arrays.setAll(results, peer -> into.bytes().duplicate());
            Arrays.setAll(resultTargets, peer -> into.bytes().duplicate());
        }
        combiner = with;
        data = values;
        bounds = partBounds;
        result = into;
        resultAt = at;
        done = 0;
        Arrays.fill(sent, 0);
        expect();
    }

    @Override
    public @Nullable ByteBuffer outgoing(int peer) {
        int from = sent[peer];
        int values = length(peer);
        if (from < values) {
            int width = data.type().width();
            int bytes = Math.min(piece, values - from);
            data.copyTo(bounds[peer] + from / width, outgoing[peer], 0, bytes / width);
            sent[peer] += bytes;
            return frames[peer].clear().limit(bytes);
        }
        if (isCollecting && from < values + done) {
            int bytes = Math.min(piece, values + done - from);
            sent[peer] += bytes;
            return results[peer].clear().position(resultAt + from - values).limit(resultAt + from - values + bytes);
        }
        return null;
    }

    @Override
    public @Nullable ByteBuffer target(int peer) {
        if (missing > 0 && !hasArrived[peer]) {
            return targets[peer];
        }
        return isCollecting && missing == 0 && collected[peer] < length(peer) ? resultTargets[peer] : null;
    }

    @Override
    public void arrived(int peer) {
        if (missing == 0) {
            collected[peer] += Math.min(piece, length(peer) - collected[peer]);
            expectResult(peer);
            return;
        }
        hasArrived[peer] = true;
        missing--;
        if (missing == 0) {
            combine();
            done += expected;
            expect();
        }
    }

    @Override
    public boolean isAwaited(int peer) {
        return done < length(rank) || (isCollecting && collected[peer] < length(peer));
    }

    @Override
    public boolean isDone() {
        if (missing > 0) {
            return false;
        }
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank
                    && (sent[peer] < length(peer) + (isCollecting ? length(rank) : 0)
                            || (isCollecting && collected[peer] < length(peer)))) {
                return false;
            }
        }
        return true;
    }

    private void expect() {
        expected = Math.min(piece, length(rank) - done);
        missing = expected > 0 ? size - 1 : 0;
        for (int peer = 0; peer < size; peer++) {
            targets[peer].clear().limit(peer == rank ? 0 : expected);
            hasArrived[peer] = false;
        }
    }

    private void expectResult(int peer) {
        int at = bounds[peer] * data.type().width() + collected[peer];
        resultTargets[peer].clear().position(at).limit(at + Math.min(piece, length(peer) - collected[peer]));
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
