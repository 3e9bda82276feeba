/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.util.Arrays;

/**
 * Operations of ranks that share memory. Up to {@link #DIRECT} bytes, or between two ranks, each rank reads all values
 * and combines them itself. More are combined part by part, one by each rank, which all then collect (reduce-scatter,
 * then all-gather). Either way values are combined in the order of ranks.
 */
final class SharedExchange implements Exchange {
    private static final int DIRECT = 8 * 1024;

    private final int rank;
    private final int size;
    private final Scratch scratch;
    private final SharedStage stage;
    private final Mismatches mismatches;
    private final int[] bounds;
    private final Region aside = new Region();
    private final Region own = new Region();

    SharedExchange(int rank, int size, Scratch scratch, SharedStage stage) {
        this.rank = rank;
        this.size = size;
        this.scratch = scratch;
        this.stage = stage;
        this.mismatches = new Mismatches(rank);
        this.bounds = new int[size + 1];
    }

    @Override
    public void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        if (size == 2 || data.bytes() <= DIRECT) {
            reduceWhole(op, combiner, data);
            return;
        }
        for (int part = 0; part <= size; part++) {
            bounds[part] = RingSchedule.start(data.count(), part, size);
        }
        Region result = reduceParts(op, combiner, data, bounds, true);
        if (result != data) {
            data.copyFrom(0, scratch.take(data.bytes()), 0, data.count());
        }
    }

    @Override
    public void reduceScatter(Operation op, Combiner combiner, Region data, int[] partBounds, Region mine)
            throws BrokenLinkException {
        reduceParts(op, combiner, data, partBounds, false);
        mine.copyFrom(0, scratch.take(mine.bytes()), 0, mine.count());
    }

    @Override
    public void broadcast(Operation op, Region data) throws BrokenLinkException {
        Arrays.fill(bounds, 0, op.root() + 1, 0);
        Arrays.fill(bounds, op.root() + 1, size + 1, data.count());
        allGather(op, data, bounds);
    }

    @Override
    public void allGather(Operation op, Region data, int[] partBounds) throws BrokenLinkException {
        int width = data.type().width();
        int longest = longest(partBounds);
        int segment = Math.max(1, Math.min(longest, stage.open(op, (long) longest * width) / width));
        Region into = segment < longest ? aside(data.type(), data.count()) : data;
        for (int from = 0; from == 0 || from < longest; from += segment) {
            if (from > 0) {
                stage.meet(op);
            }
            int count = length(partBounds, rank, from, segment);
            if (count > 0) {
                data.copyTo(partBounds[rank] + from, stage.own(), stage.at(), count);
            }
            stage.meet(op);
            collect(into, partBounds, from, segment, 0);
        }
        if (into != data) {
            for (int part = 0; part < size; part++) {
                if (part != rank) {
                    int start = partBounds[part];
                    data.copyFrom(start, scratch.take(data.bytes()), start * width, partBounds[part + 1] - start);
                }
            }
        }
    }

    @Override
    public void barrier(Operation op) throws BrokenLinkException {
        stage.open(op, 0);
        stage.meet(op);
    }

    @Override
    public void agree(Operation op, long digest) throws BrokenLinkException {
        stage.open(op, Long.BYTES);
        stage.own().bytes().putLong(stage.at(), digest);
        stage.meet(op);
        for (int peer = 0; peer < size; peer++) {
            mismatches.requireSameDigest(
                    op, digest, peer, stage.of(peer).bytes().getLong(stage.at()));
        }
    }

    private void reduceWhole(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        int width = data.type().width();
        int count = data.count();
        int segment = Math.max(1, Math.min(count, stage.open(op, data.bytes()) / width));
        Region into = segment < count ? aside(data.type(), count) : data;
        for (int from = 0; from == 0 || from < count; from += segment) {
            if (from > 0) {
                stage.meet(op);
            }
            int length = Math.min(segment, count - from);
            data.copyTo(from, stage.own(), stage.at(), length);
            stage.meet(op);
            combine(combiner, data, from, length, stage.at(), into, from);
        }
        if (into != data) {
            data.copyFrom(0, scratch.take(data.bytes()), 0, count);
        }
    }

    /** Returns where the result is: all of it if it is gathered, else this rank's part from 0. */
    private Region reduceParts(Operation op, Combiner combiner, Region data, int[] partBounds, boolean isGathered)
            throws BrokenLinkException {
        int width = data.type().width();
        int longest = longest(partBounds);
        int room = stage.open(op, (long) size * longest * width);
        int segment = Math.max(1, Math.min(longest, room / width / size));
        Region into = data;
        if (!isGathered) {
            into = aside(data.type(), partBounds[rank + 1] - partBounds[rank]);
        } else if (segment < longest) {
            into = aside(data.type(), data.count());
        }
        for (int from = 0; from == 0 || from < longest; from += segment) {
            if (from > 0) {
                stage.meet(op);
            }
            show(data, partBounds, from, segment);
            stage.meet(op);
            int count = length(partBounds, rank, from, segment);
            int at = stage.at() + rank * segment * width;
            if (isGathered) {
                own.set(data.type(), stage.own(), at, count);
                combine(combiner, data, partBounds[rank] + from, count, at, own, 0);
                stage.meet(op);
                collect(into, partBounds, from, segment, segment * width);
            } else {
                combine(combiner, data, partBounds[rank] + from, count, at, into, from);
            }
        }
        return into;
    }

    /** Writes a piece of each part but the own one, whose values nobody else needs. */
    private void show(Region data, int[] partBounds, int from, int segment) {
        int width = data.type().width();
        for (int part = 0; part < size; part++) {
            if (part != rank) {
                int count = length(partBounds, part, from, segment);
                if (count > 0) {
                    data.copyTo(partBounds[part] + from, stage.own(), stage.at() + part * segment * width, count);
                }
            }
        }
    }

    /** Reads a piece of each part where its rank shows it; parts are so many bytes apart. */
    private void collect(Region into, int[] partBounds, int from, int segment, int distance) {
        for (int i = 0; i < size; i++) {
            int part = rank + i < size ? rank + i : rank + i - size;
            int count = length(partBounds, part, from, segment);
            if (count > 0) {
                into.copyFrom(partBounds[part] + from, stage.of(part), stage.at() + part * distance, count);
            }
        }
    }

    /** Short runs: they stay in the processor's first cache, and loops over arrays from 0 are the fast ones. */
    private void combine(Combiner combiner, Region data, int from, int count, int at, Region into, int intoFrom) {
        ElementType type = data.type();
        int run = Scratch.run(type);
        Object left = scratch.left(type);
        Object right = scratch.right(type);
        for (int done = 0; done < count; done += run) {
            int length = Math.min(run, count - done);
            for (int peer = 0; peer < size; peer++) {
                Object values = peer == 0 ? left : right;
                if (peer == rank) {
                    data.load(from + done, values, 0, length);
                } else {
                    stage.of(peer).get(type, at + done * type.width(), values, 0, length);
                }
                if (peer > 0) {
                    combiner.combine(left, right, length);
                }
            }
            into.store(intoFrom + done, left, 0, length);
        }
    }

    /** Somewhere to put values before the operation is complete. */
    private Region aside(ElementType type, int count) {
        return aside.set(type, scratch.take(count * type.width()), 0, count);
    }

    private static int longest(int[] partBounds) {
        int longest = 0;
        for (int part = 1; part < partBounds.length; part++) {
            longest = Math.max(longest, partBounds[part] - partBounds[part - 1]);
        }
        return longest;
    }

    /** How many elements of a piece the part has. */
    private static int length(int[] partBounds, int part, int from, int segment) {
        return Math.max(0, Math.min(segment, partBounds[part + 1] - partBounds[part] - from));
    }
}
