/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What k-means finds in one process that has all shards: no collective, no faults. */
public final class PlainKMeans {
    private static final RowFormat FORMAT = new CsvFormat(false, true);

    private PlainKMeans() {}

    /** The last line that a run over the shipped rows prints, to the last bit. */
    public static String lastLine(int shards, int clusters) {
        KMeansState state = run(shipped(shards), 30, clusters);
        return "inertia " + state.inertia() + "; iterations " + state.iterations() + "; rows " + state.rows()
                + " in clusters of " + Arrays.toString(state.sizes());
    }

    static ShardedRows shipped(int shards) {
        RowFile file = new RowFile(BreastCancer.FILE, FORMAT, 0);
        ShardedRows rows = new ShardedRows(shards);
        IntStream.range(0, shards).forEach(shard -> rows.put(shard, file.training(new Shard(shard, shards)), 30));
        return rows;
    }

    /** Scales the rows, too. */
    static KMeansState run(ShardedRows rows, int columns, int clusters) {
        ColumnScale scale = ColumnScale.of(rows, columns, (name, slots, prepare) -> prepare.run());
        rows.replaceAll(scale::apply);
        KMeansState state = new KMeansState();
        state.begin(1, scale, new Seeding(rows, columns, (name, slots, prepare) -> prepare.run()).draw(clusters, 1));
        while (!state.isDone()) {
            state.advance(Centroids.sums(rows, state.centroids(), (slots, prepare) -> prepare.run()), 300);
        }
        return state;
    }
}
