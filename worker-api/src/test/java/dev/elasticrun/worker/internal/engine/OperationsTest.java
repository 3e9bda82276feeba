/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.Reducer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which an operation can be called: parts of arrays, buffers, other functions, other parts. */
@Timeout(60)
final class OperationsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void partsOfArrays_atOffsetsThatDiffer_changeNothingElse(int size) throws Exception {
        run(size, collective -> {
            int at = collective.rank();
            double[] doubles = new double[10];
            doubles[at] = 1;
            doubles[9] = -1;
            collective.allReduce(doubles, at, 3, ReduceOp.SUM);
            assertThat(doubles[at]).isEqualTo(size);
            assertThat(doubles[9]).isEqualTo(-1);
            byte[] bytes = new byte[6];
            bytes[at] = (byte) at;
            collective.broadcast(bytes, at, 2, size - 1);
            assertThat(bytes[at]).isEqualTo((byte) (size - 1));
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void directBuffers_areReducedBetweenPositionAndLimit(int size) throws Exception {
        run(size, collective -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(40).order(ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(0, 5).putFloat(8, collective.rank()).putFloat(12, 1).putInt(16, 7);
            collective.allReduce(buffer.position(8).limit(16), ElementType.FLOAT, ReduceOp.SUM);
            assertThat(buffer.getFloat(8)).isEqualTo(size * (size - 1) / 2f);
            assertThat(buffer.getFloat(12)).isEqualTo(size);
            assertThat(buffer.position()).isEqualTo(8);
            buffer.limit(40);
            assertThat(buffer.getInt(0) + buffer.getInt(16)).isEqualTo(12);
            collective.broadcast(buffer.position(8).limit(9), 0);
            assertThatThrownBy(() -> collective.allReduce(ByteBuffer.allocate(8), ElementType.INT, ReduceOp.SUM))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("direct buffer");
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void ownReducer_combinesAllRanks(int size) throws Exception {
        run(size, collective -> {
            long[] values = new long[5000];
            java.util.Arrays.fill(values, 1L << collective.rank());
            Reducer<long[]> or = (into, other, count) -> {
                for (int i = 0; i < count; i++) {
                    into[i] |= other[i];
                }
            };
            collective.allReduce(values, or);
            assertThat(values).containsOnly((1L << size) - 1);
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void gatherAndScatter_equalAndOtherParts(int size) throws Exception {
        run(size, collective -> {
            int rank = collective.rank();
            float[] all = new float[2 * size];
            collective.allGather(new float[] {rank, -rank}, all);
            int[] bounds = new int[size + 1];
            for (int each = 0; each < size; each++) {
                assertThat(all[2 * each]).isEqualTo(each);
                assertThat(all[2 * each + 1]).isEqualTo(-each);
                bounds[each + 1] = bounds[each] + each;
            }
            long[] uneven = new long[bounds[size]];
            java.util.Arrays.fill(uneven, bounds[rank], bounds[rank + 1], rank + 1);
            collective.allGatherInPlace(uneven, bounds);
            for (int each = 0; each < size; each++) {
                int owner = each;
                assertThat(java.util.Arrays.copyOfRange(uneven, bounds[each], bounds[each + 1]))
                        .isEqualTo(java.util.stream.LongStream.generate(() -> owner + 1L)
                                .limit(owner)
                                .toArray());
            }
            int[] whole = new int[3 * size];
            java.util.Arrays.setAll(whole, i -> i);
            int[] mine = new int[3];
            collective.reduceScatter(whole, mine, ReduceOp.SUM);
            assertThat(mine).containsExactly(3 * rank * size, (3 * rank + 1) * size, (3 * rank + 2) * size);
            long[] part = new long[rank];
            collective.reduceScatter(uneven, part, bounds, ReduceOp.MAX);
            assertThat(part).hasSize(rank);
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void arguments_thatCannotBe_areRefusedBeforeAnyExchange(int size) throws Exception {
        run(size, collective -> {
            assertThatThrownBy(() -> collective.allReduce(new String[1], 0, 1, ReduceOp.SUM, () -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("java.lang.String[]");
            assertThatThrownBy(() -> collective.allReduce(new int[3], 2, 2, ReduceOp.SUM))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> collective.allGather(new int[2], new int[2 * size + 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one part for each rank");
            assertThatThrownBy(() -> collective.allGatherInPlace(new int[2], new int[] {0, 1}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ascending numbers");
            assertThatThrownBy(() -> collective.broadcast(new int[1], size))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("root: " + size);
            assertThatThrownBy(() -> collective.allReduce(new int[1], 0, 1, ReduceOp.SUM, () -> collective.barrier()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("from within a call");
            collective.barrier();
            return true;
        });
    }

    private void run(int size, TestCluster.Program<Boolean> program) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<Boolean> done = cluster.run(1, cluster.workers, program);
            assertThat(done).hasSize(size);
        }
    }
}
