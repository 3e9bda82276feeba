/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Assigns parts of the data to workers, at most one to each, when loading a part again is expensive: a worker that
 * holds a shard keeps it, and newcomers take those that are missing. The same on all ranks. Immutable.
 *
 * <p>The number of shards is fixed for the run. With fewer workers than shards some are missing until newcomers take
 * them; with more, some workers have none.
 *
 * <p>Under a policy that puts a new process in the place of a dead worker, this process goes through the operations since
 * the last commit. So plan in every step, between two commits, not once before the loop: it then gets the plan that the
 * others made, with the dead worker's shard for it.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticLoop;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.ElasticShards;
 * import dev.elasticrun.worker.ElasticState;
 * import dev.elasticrun.worker.Snapshotable;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import java.nio.ByteBuffer;
 *
 * public final class SumOfShards implements Snapshotable {
 *     private int held = ElasticShards.NONE;      // what this process has loaded: not in the state
 *     private double[] rows = {};
 *     private double sum;
 *     private int step;
 *
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> new SumOfShards().run());
 *     }
 *
 *     private void run() throws Exception {
 *         ElasticState state = ElasticState.of(this);
 *         ElasticLoop.run(state, collective -> {
 *             while (step < 100) {
 *                 ElasticShards shards = ElasticShards.agree(collective, 4, held);
 *                 if (shards.mine() != held) {
 *                     held = shards.mine();
 *                     rows = held == ElasticShards.NONE ? new double[0] : new double[] {held, held};
 *                 }
 *                 double[] part = {0};
 *                 for (double row : rows) {
 *                     part[0] += row;
 *                 }
 *                 collective.allReduce(part, ReduceOp.SUM);
 *                 sum += part[0];
 *                 step++;
 *                 state.commit();
 *             }
 *         });
 *     }
 *
 *     @Override
 *     public byte[] save() {
 *         return ByteBuffer.allocate(12).putDouble(sum).putInt(step).array();
 *     }
 *
 *     @Override
 *     public void restore(byte[] snapshot) {
 *         ByteBuffer saved = ByteBuffer.wrap(snapshot);
 *         sum = saved.getDouble();
 *         step = saved.getInt();
 *     }
 * }
 * }</pre>
 */
public final class ElasticShards {
    /** No shard, or no rank. */
    public static final int NONE = -1;

    private static final int WORDS = 2;

    private final int rank;
    private final int[] byRank;
    private final int[] byShard;

    private ElasticShards(int rank, int[] byRank, int[] byShard) {
        this.rank = rank;
        this.byRank = byRank;
        this.byShard = byShard;
    }

    /**
     * Plans from what every rank holds, in one operation of all ranks. Call it on all ranks at the same place.
     *
     * @param shards number of shards, from 1, the same on all ranks
     * @param held 0-based shard that this worker has loaded, or {@link #NONE}
     * @throws IllegalArgumentException if the arguments are out of range, or, on all ranks, if the numbers of shards differ
     */
    public static ElasticShards agree(Collective collective, int shards, int held) {
        requireShard(shards, held);
        int[] stated = new int[WORDS * collective.worldSize()];
        collective.allGather(new int[] {shards, held}, stated);
        int[] heldByRank = new int[collective.worldSize()];
        for (int rank = 0; rank < heldByRank.length; rank++) {
            if (stated[WORDS * rank] != stated[0]) {
                throw new IllegalArgumentException("shards: " + stated[0] + " on rank 0, " + stated[WORDS * rank]
                        + " on rank " + rank + " (expected: the same on all ranks)");
            }
            heldByRank[rank] = stated[WORDS * rank + 1];
        }
        return plan(shards, heldByRank, collective.rank());
    }

    /**
     * Computes the plan, without communication. Of ranks that hold the same shard the lowest keeps it. The other ranks
     * take the shards without a holder: the lowest rank the lowest shard, and so on.
     *
     * @param heldByRank for each rank the shard that it has loaded, or {@link #NONE}
     * @param rank whose plan it is
     */
    public static ElasticShards plan(int shards, int[] heldByRank, int rank) {
        if (rank < 0 || rank >= heldByRank.length) {
            throw new IllegalArgumentException("rank: " + rank + " (expected: 0 to " + (heldByRank.length - 1) + ")");
        }
        for (int held : heldByRank) {
            requireShard(shards, held);
        }
        int[] byShard = filled(shards);
        int[] byRank = filled(heldByRank.length);
        for (int holder = 0; holder < heldByRank.length; holder++) {
            int held = heldByRank[holder];
            if (held != NONE && byShard[held] == NONE) {
                byShard[held] = holder;
                byRank[holder] = held;
            }
        }
        int free = 0;
        for (int taker = 0; taker < byRank.length; taker++) {
            while (free < shards && byShard[free] != NONE) {
                free++;
            }
            if (byRank[taker] == NONE && free < shards) {
                byShard[free] = taker;
                byRank[taker] = free;
            }
        }
        return new ElasticShards(rank, byRank, byShard);
    }

    /** The shard of this worker, or {@link #NONE}. */
    public int mine() {
        return byRank[rank];
    }

    /** The shard of a rank, or {@link #NONE}. */
    public int of(int anyRank) {
        return byRank[anyRank];
    }

    /** The rank that has a shard, or {@link #NONE}. */
    public int holder(int shard) {
        return byShard[shard];
    }

    /**
     * This worker's place in the order of shards, from 0 to before the number of workers: first the workers that have a
     * shard, in the order of these, then the others, in the order of their ranks. While no shard is missing, the
     * worker of a shard has the same position in every round, whatever its rank is: sums in this order have the same bits.
     */
    public int position() {
        return positionOf(rank);
    }

    /** The position of a rank, as {@link #position()}. */
    public int positionOf(int anyRank) {
        int mine = byRank[anyRank];
        if (mine != NONE) {
            return (int) Arrays.stream(byShard, 0, mine)
                    .filter(holder -> holder != NONE)
                    .count();
        }
        long withShard = Arrays.stream(byShard).filter(holder -> holder != NONE).count();
        long before =
                Arrays.stream(byRank, 0, anyRank).filter(shard -> shard == NONE).count();
        return (int) (withShard + before);
    }

    /** Number of shards. */
    public int count() {
        return byShard.length;
    }

    /** Shards that no worker has, ascending. */
    public List<Integer> missing() {
        return IntStream.range(0, byShard.length)
                .filter(shard -> byShard[shard] == NONE)
                .boxed()
                .toList();
    }

    @Override
    public String toString() {
        return "shards by rank " + Arrays.toString(byRank) + ", missing " + missing();
    }

    private static int[] filled(int length) {
        int[] none = new int[length];
        Arrays.fill(none, NONE);
        return none;
    }

    private static void requireShard(int shards, int held) {
        if (shards < 1) {
            throw new IllegalArgumentException("shards: " + shards + " (expected: >= 1)");
        }
        if (held < NONE || held >= shards) {
            throw new IllegalArgumentException(
                    "held: " + held + " (expected: 0 to " + (shards - 1) + ", or " + NONE + " for none)");
        }
    }
}
