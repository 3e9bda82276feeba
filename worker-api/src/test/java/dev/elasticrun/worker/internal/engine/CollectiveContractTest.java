/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation, on every world size that has another tree or ring, around the sizes where the algorithm changes. */
@Timeout(60)
final class CollectiveContractTest {
    private static final int[] DOUBLES = {0, 1, 31, 4095, 4096, 4097, 20_000};

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void allReduce_doubles_sumsElementByElementWithTheSameBits(int size) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<double[][]> results = cluster.run(1, cluster.workers, collective -> {
                double[][] all = new double[DOUBLES.length][];
                for (int i = 0; i < DOUBLES.length; i++) {
                    all[i] = randoms(DOUBLES[i], collective.rank());
                    collective.allReduce(all[i], ReduceOp.SUM);
                }
                return all;
            });
            for (int i = 0; i < DOUBLES.length; i++) {
                double[] expected = new double[DOUBLES[i]];
                for (int rank = 0; rank < size; rank++) {
                    double[] part = randoms(DOUBLES[i], rank);
                    for (int at = 0; at < expected.length; at++) {
                        expected[at] += part[at];
                    }
                }
                for (double[][] result : results) {
                    assertThat(largestDifference(result[i], expected)).isLessThan(1e-9);
                    assertThat(result[i]).isEqualTo(results.get(0)[i]);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void allReduce_eachTypeAndOperator_combinesAllRanks(int size) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<Boolean> results = cluster.run(1, cluster.workers, collective -> {
                for (int count : new int[] {3, 8191, 8192, 9001}) {
                    checkLongs(collective, count);
                    checkInts(collective, count);
                    checkFloats(collective, count);
                }
                return true;
            });
            assertThat(results).hasSize(size).containsOnly(true);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void broadcast_fromEachRoot_reachesAll(int size) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<Boolean> results = cluster.run(1, cluster.workers, collective -> {
                for (int root = 0; root < size; root++) {
                    for (int count : new int[] {0, 1, 4096, 4097, 100_000}) {
                        double[] values = randoms(count, collective.rank());
                        collective.broadcast(values, root);
                        assertThat(values).isEqualTo(randoms(count, root));
                    }
                    long[] longs = {collective.rank()};
                    collective.broadcast(longs, root);
                    int[] ints = {collective.rank()};
                    collective.broadcast(ints, root);
                    float[] floats = {collective.rank()};
                    collective.broadcast(floats, root);
                    assertThat(longs).containsExactly(root);
                    assertThat(ints).containsExactly(root);
                    assertThat(floats).containsExactly(root);
                    byte[] bytes = {(byte) collective.rank()};
                    collective.broadcast(bytes, root);
                    assertThat(bytes).containsExactly((byte) root);
                    byte[] text = collective.broadcastBytes(text(collective.rank()), root);
                    assertThat(text).isEqualTo(text(root));
                }
                return true;
            });
            assertThat(results).hasSize(size);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void allGather_differentLengths_areReturnedByRank(int size) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<List<byte[]>> results =
                    cluster.run(1, cluster.workers, collective -> collective.allGather(text(collective.rank())));
            for (List<byte[]> result : results) {
                assertThat(result).hasSize(size);
                for (int rank = 0; rank < size; rank++) {
                    assertThat(result.get(rank)).isEqualTo(text(rank));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void checkpoint_onAllRanks_countsVersionsAndKeepsTheNewest(int size) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<String> results = cluster.run(1, cluster.workers, collective -> {
                for (int i = 1; i <= 3; i++) {
                    collective.checkpoint(text(i));
                    collective.barrier();
                }
                String newest = new String(collective.loadCheckpoint().orElseThrow(), StandardCharsets.UTF_8);
                collective.close();
                assertThatThrownBy(collective::barrier)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("it was left");
                return collective.version() + newest.substring(0, 2);
            });
            assertThat(results).hasSize(size).containsOnly("3s3");
        }
    }

    private static void checkLongs(Collective collective, int count) {
        int size = collective.worldSize();
        for (ReduceOp op : ReduceOp.values()) {
            long[] values = new long[count];
            long[] expected = new long[count];
            for (int i = 0; i < count; i++) {
                values[i] = value(i, collective.rank());
                expected[i] = value(i, 0);
                for (int rank = 1; rank < size; rank++) {
                    expected[i] = Reference.apply(op, expected[i], value(i, rank));
                }
            }
            collective.allReduce(values, op);
            assertThat(values).isEqualTo(expected);
        }
    }

    private static void checkInts(Collective collective, int count) {
        int size = collective.worldSize();
        for (ReduceOp op : ReduceOp.values()) {
            int[] values = new int[count];
            int[] expected = new int[count];
            for (int i = 0; i < count; i++) {
                values[i] = (int) value(i, collective.rank());
                expected[i] = (int) value(i, 0);
                for (int rank = 1; rank < size; rank++) {
                    expected[i] = (int) Reference.apply(op, expected[i], value(i, rank));
                }
            }
            collective.allReduce(values, op);
            assertThat(values).isEqualTo(expected);
        }
    }

    /** Small whole numbers: exact in any order. */
    private static void checkFloats(Collective collective, int count) {
        int size = collective.worldSize();
        for (ReduceOp op : ReduceOp.values()) {
            if (Reference.isForIntegersOnly(op)) {
                assertThatThrownBy(() -> collective.allReduce(new float[count], op))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("op: " + op + " on floats");
                continue;
            }
            float[] values = new float[count];
            float[] expected = new float[count];
            for (int i = 0; i < count; i++) {
                values[i] = 1 + (i + collective.rank()) % 3;
                expected[i] = 1 + i % 3;
                for (int rank = 1; rank < size; rank++) {
                    expected[i] = (float) Reference.apply(op, expected[i], 1 + (i + rank) % 3);
                }
            }
            collective.allReduce(values, op);
            assertThat(values).isEqualTo(expected);
        }
    }

    private static double largestDifference(double[] a, double[] b) {
        double largest = 0;
        for (int at = 0; at < b.length; at++) {
            largest = Math.max(largest, Math.abs(a[at] - b[at]));
        }
        return largest;
    }

    private static long value(int i, int rank) {
        return (i * 31L + rank * 17L) % 1009 - 500;
    }

    private static double[] randoms(int count, int seed) {
        return new Random(seed).doubles(count, -1, 1).toArray();
    }

    private static byte[] text(int i) {
        return ("s" + i + "x".repeat(i * 20_000)).getBytes(StandardCharsets.UTF_8);
    }
}
