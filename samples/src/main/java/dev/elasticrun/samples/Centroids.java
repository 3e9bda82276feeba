/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/** One step of Lloyd's iteration ("Least squares quantization in PCM", 1982). */
final class Centroids {
    private Centroids() {}

    /**
     * The sums of a step over all rows: for each cluster those of the coordinates and the number of rows, then the inertia,
     * which is the sum of the squared distances from the centroids.
     */
    static double[] sums(ShardedRows rows, double[][] centroids, ShardedRows.Reduction reduction) {
        int length = centroids.length * (centroids[0].length + 1) + 1;
        return rows.total(length, (some, sums) -> add(some, centroids, sums), reduction);
    }

    private static void add(double[][] rows, double[][] centroids, double[] sums) {
        for (double[] row : rows) {
            int cluster = nearest(row, centroids);
            int start = cluster * (row.length + 1);
            for (int column = 0; column < row.length; column++) {
                sums[start + column] += row[column];
            }
            sums[start + row.length]++;
            sums[sums.length - 1] += squaredDistance(row, centroids[cluster]);
        }
    }

    /** Rows of a cluster in the sums of a step. */
    static long size(double[] sums, int cluster, int columns) {
        return (long) sums[cluster * (columns + 1) + columns];
    }

    /** The means of the clusters; one without rows stays where it is. */
    static double[][] moved(double[][] centroids, double[] sums) {
        double[][] moved = new double[centroids.length][];
        for (int cluster = 0; cluster < centroids.length; cluster++) {
            int columns = centroids[cluster].length;
            long size = size(sums, cluster, columns);
            moved[cluster] = centroids[cluster].clone();
            for (int column = 0; column < columns && size > 0; column++) {
                moved[cluster][column] = sums[cluster * (columns + 1) + column] / size;
            }
        }
        return moved;
    }

    /** The lowest of the nearest ones. */
    static int nearest(double[] row, double[][] centroids) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int cluster = 0; cluster < centroids.length; cluster++) {
            double distance = squaredDistance(row, centroids[cluster]);
            if (distance < least) {
                least = distance;
                nearest = cluster;
            }
        }
        return nearest;
    }

    static double squaredDistance(double[] row, double[] centroid) {
        double sum = 0;
        for (int column = 0; column < row.length; column++) {
            double difference = row[column] - centroid[column];
            sum += difference * difference;
        }
        return sum;
    }
}
