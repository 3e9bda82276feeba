/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.nio.ByteBuffer;

/**
 * Deals the samples of an epoch to the ranks: each exactly once, in a shuffled order that depends on seed and epoch
 * only. What counts as dealt is one number, the same on all ranks, so a checkpoint holds 32 bytes however many samples
 * there are, and what is left can be dealt to a world of any size.
 *
 * <p>Every rank makes the same calls in the same order between two checkpoints, {@link #save} among what is committed.
 * After a change: {@link #restore}, then {@link #split} with the new place. Batches that were taken after the commit
 * are dealt again, to the ranks of the new round; the work done with them is undone by the same restore.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticLoop;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.ElasticSampler;
 * import dev.elasticrun.worker.ElasticState;
 * import dev.elasticrun.worker.collective.ReduceOp;
 *
 * public final class CountSamples {
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> {
 *             ElasticSampler sampler = ElasticSampler.shuffled(10_000, 42);
 *             ElasticState state = ElasticState.of(sampler);      // a program with a model saves both
 *             ElasticLoop.run(state, collective -> {
 *                 sampler.split(collective.rank(), collective.worldSize());
 *                 while (sampler.hasNext()) {
 *                     long[] mine = sampler.next(64);             // may be shorter, or empty, at the end of the epoch
 *                     long[] samples = {mine.length};
 *                     collective.allReduce(samples, ReduceOp.SUM);
 *                     state.commit();
 *                 }
 *             });
 *         });
 *     }
 * }
 * }</pre>
 *
 * <p>One thread. Nothing blocks, nothing is sent.
 */
public final class ElasticSampler implements Snapshotable {
    private static final long MAX_SIZE = 1L << 60;
    private static final int BYTES = 4 * Long.BYTES;

    private final long size;
    private final boolean isShuffled;
    private long seed;
    private long epoch;
    private long position;
    private int rank;
    private int worldSize = 1;

    private ElasticSampler(long size, long seed, boolean isShuffled) {
        if (size < 0 || size > MAX_SIZE) {
            throw new IllegalArgumentException("size: " + size + " (expected: 0 to " + MAX_SIZE + ")");
        }
        this.size = size;
        this.seed = seed;
        this.isShuffled = isShuffled;
    }

    /** Epochs of the samples 0 to {@code size - 1}, each in another order. */
    public static ElasticSampler shuffled(long size, long seed) {
        return new ElasticSampler(size, seed, true);
    }

    /** Epochs of the samples 0 to {@code size - 1}, from the first to the last. */
    public static ElasticSampler inOrder(long size) {
        return new ElasticSampler(size, 0, false);
    }

    /** From now on this rank gets its share in a world of this size. */
    public void split(int newRank, int newWorldSize) {
        if (newRank < 0 || newRank >= newWorldSize) {
            throw new IllegalArgumentException("rank: " + newRank + " (expected: 0 to " + (newWorldSize - 1) + ")");
        }
        rank = newRank;
        worldSize = newWorldSize;
    }

    /** Starts an epoch from its first sample. */
    public void startEpoch(long newEpoch) {
        epoch = newEpoch;
        position = 0;
    }

    public long epoch() {
        return epoch;
    }

    /** Samples of the epoch that were not dealt to any rank yet. */
    public long remaining() {
        return size - position;
    }

    /** Whether the epoch has samples left. The same on all ranks, so a loop on it has as many steps on each. */
    public boolean hasNext() {
        return position < size;
    }

    /**
     * This rank's share of the next {@code perRank * worldSize} samples: {@code perRank} of them, but at the end of the
     * epoch, where the rest is divided evenly, so that shares differ by one at most and can be empty.
     */
    public long[] next(int perRank) {
        return nextOf(requirePositive("perRank", perRank) * worldSize);
    }

    /**
     * This rank's share of the next {@code total} samples, for a global batch that stays as large whatever the world is.
     * Shares differ by one at most; lower ranks have the larger ones.
     */
    public long[] nextOf(long total) {
        long dealt = Math.min(requirePositive("total", total), remaining());
        long share = dealt / worldSize;
        long larger = dealt % worldSize;
        long start = position + rank * share + Math.min(rank, larger);
        long length = share + (rank < larger ? 1 : 0);
        if (length > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("total: " + total + " (expected: a share that fits into an array)");
        }
        long[] samples = new long[(int) length];
        Permutation order = new Permutation(size, Permutation.mix(seed) + Permutation.mix(~epoch));
        for (int i = 0; i < samples.length; i++) {
            samples[i] = isShuffled ? order.at(start + i) : start + i;
        }
        position += dealt;
        return samples;
    }

    /** Seed, epoch and position; the same bytes on all ranks. The place in the world is not part of it. */
    @Override
    public byte[] save() {
        return ByteBuffer.allocate(BYTES)
                .putLong(size)
                .putLong(seed)
                .putLong(epoch)
                .putLong(position)
                .array();
    }

    /** Goes back to a saved position, with its seed. Throws IllegalArgumentException if it is one of other data. */
    @Override
    public void restore(byte[] snapshot) {
        if (snapshot.length != BYTES) {
            throw new IllegalArgumentException("snapshot: " + snapshot.length + " bytes (expected: " + BYTES + ")");
        }
        ByteBuffer in = ByteBuffer.wrap(snapshot);
        long savedSize = in.getLong();
        if (savedSize != size) {
            throw new IllegalArgumentException("snapshot: of " + savedSize + " samples (expected: " + size + ")");
        }
        seed = in.getLong();
        epoch = in.getLong();
        position = in.getLong();
    }

    private static long requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
        return value;
    }
}
