/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The rows of one process, by shard, and sums over the rows of all: made shard by shard and added in the order of shards,
 * so they have the same bits whoever has which shard. The operation of all ranks adds nothing but zeros to them: every
 * shard has a slot of its own. One thread.
 */
final class ShardedRows {
    private final int shards;
    private final Map<Integer, double[][]> mine = new TreeMap<>();

    ShardedRows(int shards) {
        this.shards = shards;
    }

    /** Adds what one shard's rows contribute to sums that are 0 before. */
    interface Part {
        void add(double[][] rows, double[] sums);
    }

    /** Adds up the arrays of all ranks, in place. Fills its own by {@code prepare}, unless the result is known. */
    interface Reduction {
        void run(double[] slots, Runnable prepare);
    }

    /** This process has the rows of a shard. Their labels are not used; what is missing becomes NaN. */
    void put(int shard, LabelledRows labelled, int columns) {
        float[] dense = labelled.withColumns(columns).dense();
        double[][] rows = new double[labelled.rows()][columns];
        for (int at = 0; at < dense.length; at++) {
            rows[at / columns][at % columns] = dense[at];
        }
        mine.put(shard, rows);
    }

    /** Replaces each row that is here. */
    void replaceAll(UnaryOperator<double[]> change) {
        mine.replaceAll((shard, rows) -> Arrays.stream(rows).map(change).toArray(double[][]::new));
    }

    /** The rows of a shard; none if another process has it. */
    double[][] rows(int shard) {
        return mine.getOrDefault(shard, new double[0][]);
    }

    /** The sums of each shard, in one row each. */
    double[][] byShard(int length, Part part, Reduction reduction) {
        double[] slots = new double[shards * length];
        reduction.run(
                slots,
                () -> mine.forEach((shard, rows) -> {
                    double[] sums = new double[length];
                    part.add(rows, sums);
                    System.arraycopy(sums, 0, slots, shard * length, length);
                }));
        double[][] byShard = new double[shards][];
        for (int shard = 0; shard < shards; shard++) {
            byShard[shard] = Arrays.copyOfRange(slots, shard * length, (shard + 1) * length);
        }
        return byShard;
    }

    /** The sums over all shards. */
    double[] total(int length, Part part, Reduction reduction) {
        double[] total = new double[length];
        for (double[] sums : byShard(length, part, reduction)) {
            for (int at = 0; at < length; at++) {
                total[at] += sums[at];
            }
        }
        return total;
    }
}
