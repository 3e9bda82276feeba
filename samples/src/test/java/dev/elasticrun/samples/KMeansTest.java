/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
final class KMeansTest {
    private static final int COLUMNS = 30;
    private static final ColumnScale.Once ALONE = (name, slots, prepare) -> prepare.run();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void run_anyShards_findsWhatAPlainComputationFinds(int shards) {
        double[][] rows = scaledByHand();
        double[][] centroids = seeds(shards);
        double inertia = Double.POSITIVE_INFINITY;
        for (double next = stepByHand(rows, centroids); next < inertia; next = stepByHand(rows, centroids)) {
            inertia = next;
        }

        KMeansState state = PlainKMeans.run(PlainKMeans.shipped(shards), COLUMNS, 3);

        assertThat(state.rows()).isEqualTo(569);
        assertThat(state.inertia()).isEqualTo(inertia, within(1e-6));
        for (int cluster = 0; cluster < 3; cluster++) {
            assertThat(state.centroids()[cluster]).containsExactly(centroids[cluster], within(1e-9));
        }
    }

    @Test
    void run_findsTheTwoClassesOfTheData() {
        KMeansState state = PlainKMeans.run(PlainKMeans.shipped(2), COLUMNS, 2);

        DataSet labelled = CsvTable.read(BreastCancer.FILE);
        int agree = 0;
        for (int row = 0; row < labelled.rows(); row++) {
            double[] scaled = state.scale().apply(labelled.features()[row]);
            agree += Centroids.nearest(scaled, state.centroids()) == labelled.labels()[row] ? 1 : 0;
        }
        assertThat(Math.max(agree, 569 - agree)).isGreaterThan(500);
    }

    @Test
    void seeds_areRows_andDependOnTheSeedOnly() {
        ShardedRows rows = scaled(3);
        double[][] seeds = new Seeding(rows, COLUMNS, ALONE).draw(5, 7);

        assertThat(seeds).hasDimensions(5, COLUMNS);
        for (double[] seed : seeds) {
            assertThat(Arrays.stream(scaledByHand())
                            .mapToDouble(row -> Centroids.squaredDistance(row, seed))
                            .min()
                            .orElseThrow())
                    .isLessThan(1e-20);
        }
        assertThat(Arrays.stream(seeds).map(Arrays::hashCode).distinct()).hasSize(5);
        assertThat(new Seeding(rows, COLUMNS, ALONE).draw(5, 7)).isDeepEqualTo(seeds);
        assertThat(new Seeding(rows, COLUMNS, ALONE).draw(5, 8)[0]).isNotEqualTo(seeds[0]);
    }

    @Test
    void seeds_fewerRowsThanClusters_areDrawnAgain_andEmptyClustersStay() {
        ShardedRows rows = new ShardedRows(3);
        rows.put(1, parsed(1, 1, 5), 1);

        KMeansState state = PlainKMeans.run(rows, 1, 3);

        assertThat(state.inertia()).isZero();
        assertThat(state.rows()).isEqualTo(3);
        assertThat(state.sizes()).contains(0);
        assertThat(state.centroids()).hasDimensions(3, 1);
    }

    @Test
    void scale_missingValues_areTakenForTheMean() {
        ShardedRows rows = new ShardedRows(2);
        rows.put(0, parsed(1, Float.NaN), 1);
        rows.put(1, parsed(3), 1);

        ColumnScale scale = ColumnScale.of(rows, 1, ALONE);

        assertThat(scale.means()).containsExactly(2);
        assertThat(scale.deviations()).containsExactly(1);
        assertThat(scale.apply(new double[] {Double.NaN})).containsExactly(0);
        assertThat(scale.undo(scale.apply(new double[] {3}))).containsExactly(3);
    }

    @Test
    void state_comparesStepsOverTheSameRowsOnly() {
        KMeansState state = new KMeansState();
        state.begin(2, new ColumnScale(new double[1], new double[] {1}), new double[][] {{0}});

        state.advance(new double[] {3, 2, 50}, 9);
        assertThat(state.centroids()[0]).containsExactly(1.5);
        state.advance(new double[] {9, 4, 70}, 9);
        assertThat(state.isDone()).as("more rows cost more").isFalse();
        byte[] saved = state.save();
        state.advance(new double[] {8, 4, 70}, 9);
        assertThat(state.isDone()).as("no better").isTrue();
        assertThat(state.centroids()[0]).as("those of the inertia").containsExactly(2.25);

        state.restore(saved);
        assertThat(state.isDone()).isFalse();
        assertThat(state.save()).isEqualTo(saved);
        assertThat(state.iterations()).isEqualTo(2);
        assertThat(state.shards()).isEqualTo(2);
        state.advance(new double[] {8, 4, 60}, 3);
        assertThat(state.isDone()).as("last step").isTrue();
    }

    @Test
    void options_areRead() {
        RowFile rows = new RowFile(Path.of("x.libsvm"), new LibsvmFormat(0), 5);
        assertThat(KMeansOptions.parse(List.of("--data", "x.libsvm", "--hold-out=5")))
                .isEqualTo(new KMeansOptions(rows, 2, 0, 1, 300, Duration.ZERO, null, null));
        assertThat(KMeansOptions.parse(
                        List.of(("--data x.libsvm --hold-out 5 --clusters 3 --shards 4 --seed 9 --max-iterations 7"
                                        + " --step-millis 20 --hurry now --output o.csv")
                                .split(" "))))
                .isEqualTo(
                        new KMeansOptions(rows, 3, 4, 9, 7, Duration.ofMillis(20), Path.of("now"), Path.of("o.csv")));
        assertThatThrownBy(() -> KMeansOptions.parse(List.of("--clusters", "0")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--clusters: 0 (expected: ");
        assertThatThrownBy(() -> KMeansOptions.parse(List.of("--k", "3")))
                .hasMessageStartingWith("kmeans: --k (expected:");
    }

    /** Moves the centroids as in the textbook; returns the inertia before. */
    private static double stepByHand(double[][] rows, double[][] centroids) {
        double inertia = 0;
        double[][] sums = new double[centroids.length][COLUMNS];
        int[] sizes = new int[centroids.length];
        for (double[] row : rows) {
            double[] distances = new double[centroids.length];
            for (int cluster = 0; cluster < centroids.length; cluster++) {
                for (int column = 0; column < COLUMNS; column++) {
                    distances[cluster] += Math.pow(row[column] - centroids[cluster][column], 2);
                }
            }
            int own = 0;
            for (int cluster = 1; cluster < centroids.length; cluster++) {
                own = distances[cluster] < distances[own] ? cluster : own;
            }
            inertia += distances[own];
            sizes[own]++;
            for (int column = 0; column < COLUMNS; column++) {
                sums[own][column] += row[column];
            }
        }
        for (int cluster = 0; cluster < centroids.length; cluster++) {
            for (int column = 0; column < COLUMNS; column++) {
                centroids[cluster][column] = sums[cluster][column] / sizes[cluster];
            }
        }
        return inertia;
    }

    private static double[][] scaledByHand() {
        LabelledRows rows = new RowFile(BreastCancer.FILE, new CsvFormat(false, true), 0).training(Shard.WHOLE);
        double[][] table = new double[rows.rows()][COLUMNS];
        for (int at = 0; at < rows.values().length; at++) {
            table[at / COLUMNS][at % COLUMNS] = rows.values()[at];
        }
        Standardiser scale = Standardiser.of(table);
        return Arrays.stream(table).map(scale::apply).toArray(double[][]::new);
    }

    private static double[][] seeds(int shards) {
        return new Seeding(scaled(shards), COLUMNS, ALONE).draw(3, 1);
    }

    private static ShardedRows scaled(int shards) {
        ShardedRows rows = PlainKMeans.shipped(shards);
        rows.replaceAll(ColumnScale.of(rows, COLUMNS, ALONE)::apply);
        return rows;
    }

    private static LabelledRows parsed(float... values) {
        RowBuilder rows = new RowBuilder();
        rows.widen(1);
        for (float value : values) {
            rows.start(0);
            if (!Float.isNaN(value)) {
                rows.put(0, value);
            }
        }
        return rows.build();
    }
}
