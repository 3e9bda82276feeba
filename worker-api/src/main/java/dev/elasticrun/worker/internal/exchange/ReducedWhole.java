/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ElementType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All-reduce of few values in pairs (recursive doubling; Thakur, Rabenseifner and Gropp, 2005), in a group of 2, 4 or 8
 * ranks: in each step a rank exchanges all that it has combined so far with the one whose place differs in that step's
 * bit, and combines both, the lower place's first. So it sends a message for each step, where each to each would be one
 * for each rank. User thread only.
 */
final class ReducedWhole implements FrameMultiplexer.Traffic {
    private final int place;
    private final int steps;
    private final Scratch scratch;
    private final ByteBuffer[] outgoing;
    private final ByteBuffer[] targets;
    private final boolean[] isSent;
    private final boolean[] hasArrived;
    private Combiner combiner = (into, other, count) -> {};
    private ElementType type = ElementType.NONE;
    /** By step, one behind the other: what is sent, what that makes with the partner's; then, by step, the partner's. */
    private Memory values = Memory.allocate(0);

    private int bytes;
    private int combined;

    ReducedWhole(int place, int size, Scratch scratch) {
        this.place = place;
        this.steps = Integer.numberOfTrailingZeros(size);
        this.scratch = scratch;
        this.outgoing = new ByteBuffer[steps];
        this.targets = new ByteBuffer[steps];
        this.isSent = new boolean[steps];
        this.hasArrived = new boolean[steps];
    }

    /** Whether {@code size} ranks can do it in pairs, and there is something to send. */
    static boolean isFor(int size, int bytes) {
        return Integer.bitCount(size) == 1 && bytes > 0;
    }

    /** Nothing is sent yet. */
    void reduce(Combiner with, Region data) {
        combiner = with;
        type = data.type();
        bytes = data.bytes();
        Memory memory = scratch.take((2 * steps + 1) * bytes);
        if (values != memory) {
            values = memory;
            Arrays.setAll(outgoing, step -> memory.bytes().duplicate());
            Arrays.setAll(targets, step -> memory.bytes().duplicate());
        }
        data.copyTo(0, values, 0, data.count());
        combined = 0;
        Arrays.fill(isSent, false);
        Arrays.fill(hasArrived, false);
        for (int step = 0; step < steps; step++) {
            targets[step].clear().position(theirs(step)).limit(theirs(step) + bytes);
        }
    }

    /** All is done: overwrites the values with the result. */
    void finish(Region data) {
        data.copyFrom(0, values, steps * bytes, data.count());
    }

    @Override
    public boolean isPeer(int peer) {
        return Integer.bitCount(place ^ peer) == 1;
    }

    @Override
    public boolean isEarly(int peer) {
        return false;
    }

    @Override
    public @Nullable ByteBuffer outgoing(int peer) {
        int step = step(peer);
        if (isSent[step] || step > combined) {
            return null;
        }
        isSent[step] = true;
        return outgoing[step].clear().position(step * bytes).limit((step + 1) * bytes);
    }

    @Override
    public @Nullable ByteBuffer target(int peer) {
        return hasArrived[step(peer)] ? null : targets[step(peer)];
    }

    @Override
    public void arrived(int peer) {
        hasArrived[step(peer)] = true;
        while (combined < steps && hasArrived[combined]) {
            combine(combined);
            combined++;
        }
    }

    @Override
    public boolean isAwaited(int peer) {
        return !hasArrived[step(peer)];
    }

    @Override
    public boolean isDone() {
        for (boolean isThisSent : isSent) {
            if (!isThisSent) {
                return false;
            }
        }
        return combined == steps;
    }

    private int step(int peer) {
        return Integer.numberOfTrailingZeros(place ^ peer);
    }

    private int theirs(int step) {
        return (steps + 1 + step) * bytes;
    }

    private void combine(int step) {
        boolean isLower = (place >> step & 1) == 0;
        int lower = isLower ? step * bytes : theirs(step);
        int higher = isLower ? theirs(step) : step * bytes;
        Object left = scratch.left(type);
        Object right = scratch.right(type);
        for (int at = 0; at < bytes; at += Scratch.RUN_BYTES) {
            int count = Math.min(Scratch.RUN_BYTES, bytes - at) / type.width();
            values.get(type, lower + at, left, 0, count);
            values.get(type, higher + at, right, 0, count);
            combiner.combine(left, right, count);
            values.put(type, (step + 1) * bytes + at, left, 0, count);
        }
    }
}
