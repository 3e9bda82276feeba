/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The first centroids, by k-means++ (Arthur and Vassilvitskii, 2007): each is a row that is drawn with a probability in
 * proportion to the square of its distance from the nearest one before. All ranks draw the same.
 */
final class Seeding {
    private final ShardedRows rows;
    private final int columns;
    private final ColumnScale.Once once;

    Seeding(ShardedRows rows, int columns, ColumnScale.Once once) {
        this.rows = rows;
        this.columns = columns;
        this.once = once;
    }

    double[][] draw(int clusters, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] centroids = new double[0][];
        for (int drawn = 0; drawn < clusters; drawn++) {
            double[][] before = centroids;
            centroids = Arrays.copyOf(before, drawn + 1);
            centroids[drawn] = draw(before, drawn, random.nextDouble());
        }
        return centroids;
    }

    private double[] draw(double[][] before, int number, double share) {
        double[][] weights = rows.byShard(
                1,
                (some, sums) -> {
                    for (double[] row : some) {
                        sums[0] += weight(row, before);
                    }
                },
                (slots, prepare) -> once.run("weights " + number, slots, prepare));
        double total = 0;
        int last = 0;
        for (int shard = 0; shard < weights.length; shard++) {
            total += weights[shard][0];
            last = weights[shard][0] > 0 ? shard : last;
        }
        double left = share * total;
        int shard = 0;
        while (shard < last && left >= weights[shard][0]) {
            left -= weights[shard][0];
            shard++;
        }
        return row(shard, left, before, number);
    }

    /** The row of that shard at which so much of its weight is passed: known to who has it, and sent to all. */
    private double[] row(int shard, double weight, double[][] before, int number) {
        double[] chosen = new double[columns];
        once.run("centroid " + number, chosen, () -> {
            double left = weight;
            for (double[] row : rows.rows(shard)) {
                double own = weight(row, before);
                if (own > 0 && left >= 0) {
                    System.arraycopy(row, 0, chosen, 0, columns);
                }
                left -= own;
            }
        });
        return chosen;
    }

    /** All rows weigh the same while there is no centroid. */
    private static double weight(double[] row, double[][] centroids) {
        return centroids.length == 0 ? 1 : Centroids.squaredDistance(row, centroids[Centroids.nearest(row, centroids)]);
    }
}
