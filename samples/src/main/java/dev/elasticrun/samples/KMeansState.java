/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Snapshotable;
import java.nio.ByteBuffer;
import java.util.stream.LongStream;

/** How far k-means is: what it began with, the centroids, and what the last step found. The same on every worker. */
final class KMeansState implements Snapshotable {
    private static final int HEAD = 5 * Integer.BYTES + Double.BYTES;

    private int shards;
    private ColumnScale scale = new ColumnScale(new double[0], new double[0]);
    private double[][] centroids = {};
    private long[] sizes = {};
    private int iterations;
    private boolean isDone;
    private double inertia;

    /** Number of shards of the data. */
    int shards() {
        return shards;
    }

    ColumnScale scale() {
        return scale;
    }

    /** In scaled coordinates. */
    double[][] centroids() {
        return centroids;
    }

    /** Rows of each cluster that the last step saw: not all of them while nobody has some shard. */
    long[] sizes() {
        return sizes;
    }

    int iterations() {
        return iterations;
    }

    /** Whether the last step found nothing better. */
    boolean isDone() {
        return isDone;
    }

    /** Sum of the squared distances of all rows from their centroids, in the last step. */
    double inertia() {
        return inertia;
    }

    /** Rows that the last step saw. */
    long rows() {
        return LongStream.of(sizes).sum();
    }

    void begin(int ofShards, ColumnScale ofColumns, double[][] first) {
        shards = ofShards;
        scale = ofColumns;
        centroids = first;
        sizes = new long[first.length];
    }

    /**
     * Takes the sums of one step: moves the centroids, or is done if the inertia is not better than before. Steps that saw
     * another number of rows are not compared.
     */
    void advance(double[] sums, int maxIterations) {
        long before = rows();
        long[] seen = new long[centroids.length];
        for (int cluster = 0; cluster < seen.length; cluster++) {
            seen[cluster] = Centroids.size(sums, cluster, centroids[cluster].length);
        }
        double found = sums[sums.length - 1];
        boolean isBetter = LongStream.of(seen).sum() != before || found < inertia;
        sizes = seen;
        inertia = found;
        iterations++;
        isDone = !isBetter || iterations == maxIterations;
        if (!isDone) {
            centroids = Centroids.moved(centroids, sums);
        }
    }

    @Override
    public byte[] save() {
        int columns = scale.means().length;
        int doubles = (2 + centroids.length) * columns;
        ByteBuffer bytes = ByteBuffer.allocate(HEAD + doubles * Double.BYTES + centroids.length * Long.BYTES);
        bytes.putInt(shards)
                .putInt(columns)
                .putInt(centroids.length)
                .putInt(iterations)
                .putInt(isDone ? 1 : 0);
        bytes.putDouble(inertia);
        put(bytes, scale.means());
        put(bytes, scale.deviations());
        for (int cluster = 0; cluster < centroids.length; cluster++) {
            put(bytes, centroids[cluster]);
            bytes.putLong(sizes[cluster]);
        }
        return bytes.array();
    }

    @Override
    public void restore(byte[] snapshot) {
        ByteBuffer bytes = ByteBuffer.wrap(snapshot);
        shards = bytes.getInt();
        int columns = bytes.getInt();
        centroids = new double[bytes.getInt()][];
        sizes = new long[centroids.length];
        iterations = bytes.getInt();
        isDone = bytes.getInt() == 1;
        inertia = bytes.getDouble();
        scale = new ColumnScale(get(bytes, columns), get(bytes, columns));
        for (int cluster = 0; cluster < centroids.length; cluster++) {
            centroids[cluster] = get(bytes, columns);
            sizes[cluster] = bytes.getLong();
        }
    }

    private static void put(ByteBuffer bytes, double[] values) {
        for (double value : values) {
            bytes.putDouble(value);
        }
    }

    private static double[] get(ByteBuffer bytes, int length) {
        double[] values = new double[length];
        for (int at = 0; at < length; at++) {
            values[at] = bytes.getDouble();
        }
        return values;
    }
}
