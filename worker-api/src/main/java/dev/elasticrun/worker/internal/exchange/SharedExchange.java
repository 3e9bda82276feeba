/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.internal.net.PeerGroup;
import java.util.Arrays;

/**
 * Operations of ranks that share memory. Up to {@link #DIRECT} bytes, or between two ranks, each rank reads all values
 * and combines them itself. More are combined part by part, one by each rank, which all then collect (reduce-scatter,
 * then all-gather). Either way values are combined in the order of ranks, and in pieces that fit into a slot: the next
 * one is shown before the last one is awaited. A rank that writes results of a piece while others are missing saves the
 * caller's values before, and restores them if the operation breaks off.
 */
final class SharedExchange implements Exchange {
    private static final int DIRECT = 8 * 1024;

    private final PeerGroup group;
    private final int rank;
    private final int size;
    private final Scratch scratch;
    private final SharedStage stage;
    private final Mismatches mismatches;
    private final RegionBackup regionBackup;
    private final int[] whole = new int[2];
    private final int[] bounds;
    private final Region result = new Region();

    SharedExchange(PeerGroup group, Scratch scratch, SharedStage stage) {
        this.group = group;
        this.rank = group.place();
        this.size = group.size();
        this.scratch = scratch;
        this.stage = stage;
        this.mismatches = new Mismatches(group.rank(rank));
        this.regionBackup = new RegionBackup(scratch);
        this.bounds = new int[size + 1];
    }

    @Override
    public void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        boolean isWhole = size == 2 || data.bytes() <= DIRECT;
        whole[1] = data.count();
        for (int part = 0; part <= size; part++) {
            bounds[part] = RingSchedule.start(data.count(), part, size);
        }
        regionBackup.begin(data, isWhole ? whole : bounds, -1);
        boolean isDone = false;
        try {
            if (isWhole) {
                reduceWhole(op, combiner, data);
            } else {
                reduceParts(op, combiner, data);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                regionBackup.restore();
            }
        }
    }

    @Override
    public void reduceScatter(Operation op, Combiner combiner, Region data, int[] partBounds, Region mine)
            throws BrokenLinkException {
        int width = data.type().width();
        int segment = segment(width * size);
        int pieces = pieces(longest(partBounds), segment);
        Memory sum = scratch.take(mine.bytes());
        stage.begin(op);
        for (int i = 0; i <= pieces; i++) {
            if (i > 0 && i < pieces) {
                stage.next();
            }
            if (i < pieces) {
                show(data, partBounds, i * segment, segment);
                stage.show();
            }
            if (i > 0) {
                int ago = i < pieces ? 1 : 0;
                stage.await(op, ago);
                int from = (i - 1) * segment;
                int count = length(partBounds, rank, from, segment);
                result.set(data.type(), sum, from * width, count);
                combine(
                        combiner,
                        data,
                        partBounds[rank] + from,
                        stage.at(ago) + rank * segment * width,
                        result,
                        0,
                        count);
            }
        }
        mine.copyFrom(0, sum, 0, mine.count());
    }

    @Override
    public void broadcast(Operation op, int root, Region data) throws BrokenLinkException {
        Arrays.fill(bounds, 0, root + 1, 0);
        Arrays.fill(bounds, root + 1, size + 1, data.count());
        allGather(op, data, bounds);
    }

    @Override
    public void allGather(Operation op, Region data, int[] partBounds) throws BrokenLinkException {
        regionBackup.begin(data, partBounds, rank);
        boolean isDone = false;
        try {
            gather(op, data, partBounds);
            isDone = true;
        } finally {
            if (!isDone) {
                regionBackup.restore();
            }
        }
    }

    @Override
    public void barrier(Operation op) throws BrokenLinkException {
        stage.begin(op);
        stage.show();
        stage.await(op, 0);
    }

    @Override
    public void agree(Operation op, long digest) throws BrokenLinkException {
        stage.begin(op);
        stage.of(rank).bytes().putLong(stage.at(0), digest);
        stage.show();
        stage.await(op, 0);
        for (int peer = 0; peer < size; peer++) {
            mismatches.requireSameDigest(
                    op, digest, group.rank(peer), stage.of(peer).bytes().getLong(stage.at(0)));
        }
    }

    private void reduceWhole(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        int segment = segment(data.type().width());
        int pieces = pieces(data.count(), segment);
        stage.begin(op);
        for (int i = 0; i <= pieces; i++) {
            if (i > 0 && i < pieces) {
                stage.next();
            }
            if (i < pieces) {
                save(pieces, segment);
                data.copyTo(i * segment, stage.of(rank), stage.at(0), length(whole, 0, i * segment, segment));
                stage.show();
            }
            if (i > 0) {
                int ago = i < pieces ? 1 : 0;
                stage.await(op, ago);
                int from = (i - 1) * segment;
                combine(combiner, data, from, stage.at(ago), data, from, length(whole, 0, from, segment));
            }
        }
    }

    // Each step publishes one chunk of all parts, combines the own part of the previous chunk, and collects the results
    // of the chunk before that.
    private void reduceParts(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        int width = data.type().width();
        int segment = segment(width * size);
        int pieces = pieces(longest(bounds), segment);
        stage.begin(op);
        for (int i = 0; i <= pieces; i++) {
            if (i > 0) {
                stage.next();
            }
            if (i < pieces) {
                save(pieces, segment);
                show(data, bounds, i * segment, segment);
            }
            if (i > 0) {
                stage.await(op, 1);
                int own = rank * segment * width;
                int from = (i - 1) * segment;
                int count = length(bounds, rank, from, segment);
                result.set(data.type(), stage.of(rank), stage.at(0) + own, count);
                combine(combiner, data, bounds[rank] + from, stage.at(1) + own, result, 0, count);
            }
            stage.show();
            if (i > 1) {
                collect(data, bounds, (i - 2) * segment, segment, stage.at(1), segment * width);
            }
        }
        stage.await(op, 0);
        collect(data, bounds, (pieces - 1) * segment, segment, stage.at(0), segment * width);
    }

    private void gather(Operation op, Region data, int[] partBounds) throws BrokenLinkException {
        int segment = segment(data.type().width());
        int pieces = pieces(longest(partBounds), segment);
        stage.begin(op);
        for (int i = 0; i <= pieces; i++) {
            if (i > 0 && i < pieces) {
                stage.next();
            }
            if (i < pieces) {
                showOwn(data, partBounds, i * segment, segment);
                stage.show();
            }
            if (i > 0) {
                int ago = i < pieces ? 1 : 0;
                stage.await(op, ago);
                save(pieces, segment);
                collect(data, partBounds, (i - 1) * segment, segment, stage.at(ago), 0);
            }
        }
    }

    /** The last piece is written when all is there: if it is the only one, nothing can break off after that. */
    private void save(int pieces, int segment) {
        if (pieces > 1) {
            regionBackup.save(segment);
        }
    }

    private void showOwn(Region data, int[] partBounds, int from, int segment) {
        int count = length(partBounds, rank, from, segment);
        if (count > 0) {
            data.copyTo(partBounds[rank] + from, stage.of(rank), stage.at(0), count);
        }
    }

    // Writes a piece of each part but the own one, whose values no other rank needs.
    private void show(Region data, int[] partBounds, int from, int segment) {
        int width = data.type().width();
        for (int part = 0; part < size; part++) {
            int count = part == rank ? 0 : length(partBounds, part, from, segment);
            if (count > 0) {
                data.copyTo(partBounds[part] + from, stage.of(rank), stage.at(0) + part * segment * width, count);
            }
        }
    }

    // Reads a piece of each part from its rank's slot; parts are distance bytes apart.
    private void collect(Region into, int[] partBounds, int from, int segment, int at, int distance) {
        for (int i = distance == 0 ? 1 : 0; i < size; i++) {
            int part = rank + i < size ? rank + i : rank + i - size;
            int count = length(partBounds, part, from, segment);
            if (count > 0) {
                into.copyFrom(partBounds[part] + from, stage.of(part), at + part * distance, count);
            }
        }
    }

    /** Short runs: they stay in the processor's first cache, and loops over arrays from 0 are the fast ones. */
    private void combine(Combiner combiner, Region data, int from, int at, Region into, int intoFrom, int count) {
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

    private static int segment(int bytesOfEach) {
        return Math.max(1, SharedArea.SLOT / bytesOfEach);
    }

    private static int pieces(int count, int segment) {
        return Math.max(1, (int) (((long) count + segment - 1) / segment));
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
