/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.exchange.Combiner;
import dev.elasticrun.worker.internal.exchange.Combiners;
import dev.elasticrun.worker.internal.exchange.DirectExchange;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.exchange.Region;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.PeerLink;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every exchange of data, over every transport and kind of world, around the sizes where the algorithm changes. */
@Timeout(120)
@Tag("once")
final class ExchangeContractTest {
    private static final ElementType[] TYPES = {
        ElementType.BYTE, ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE
    };
    /** In bytes. The last need several pieces in shared memory. */
    private static final int[] SIZES = {
        0, 8, 96, 8192, 8200, 32_760, 32_768, 65_544, 262_144, 262_152, 1_500_000, 2_200_000
    };

    private static final int[] FEW_SIZES = {8, 8200, 65_544};
    private static final int[] SIZES_BY_ALGORITHM = {8, 8200, 65_544, 1_500_000};

    /** Of what ranks begin with. */
    private static final int PERIOD = 3;

    @TempDir
    private Path directory;

    static Stream<Arguments> worlds() {
        List<Arguments> worlds = new ArrayList<>();
        for (Transport transport : new Transport[] {Transport.TCP, Transport.SHM}) {
            for (int size : new int[] {2, 3, 4, 5}) {
                worlds.add(Arguments.of(transport, size));
            }
        }
        for (int size : new int[] {3, 4, 5}) {
            worlds.add(Arguments.of(Transport.AUTO, size));
        }
        worlds.add(Arguments.of(Transport.TCP, 1));
        worlds.add(Arguments.of(Transport.TCP, 9));
        worlds.add(Arguments.of(Transport.SHM, 9));
        return worlds.stream();
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void allReduce_eachTypeAndOperator_combinesAllRanks(Transport transport, int size) throws Exception {
        run(transport, size, (rank, exchange) -> {
            long seq = 0;
            for (ElementType type : TYPES) {
                for (ReduceOp reduce : operators(type)) {
                    for (int bytes : reduce == ReduceOp.SUM ? SIZES : FEW_SIZES) {
                        int count = bytes / type.width();
                        Object values = values(type, count, rank);
                        Operation op = new Operation(seq++, Operation.Kind.ALL_REDUCE, type, reduce, 0, count);
                        exchange.allReduce(op, Combiners.of(type, reduce), region(type, values, 0, count));
                        assertThat(values)
                                .as("%s %s %d", type, reduce, count)
                                .isEqualTo(reduced(type, reduce, count, size));
                    }
                }
            }
        });
    }

    /** Sums of fractions depend on the order: what matters is that it is the same everywhere, and every time. */
    @ParameterizedTest
    @MethodSource("worlds")
    void allReduce_fractions_hasTheSameBitsOnAllRanksAndEachTime(Transport transport, int size) throws Exception {
        List<double[]> results = new ArrayList<>();
        for (int time = 0; time < 2; time++) {
            int count = 20_001;
            double[][] byRank = new double[size][];
            run(transport, size, (rank, exchange) -> {
                double[] values = new double[count];
                for (int i = 0; i < count; i++) {
                    values[i] = 1.0 / (1 + i + 31 * rank);
                }
                Operation op = new Operation(0, Operation.Kind.ALL_REDUCE, ElementType.DOUBLE, ReduceOp.SUM, 0, count);
                exchange.allReduce(
                        op,
                        Combiners.of(ElementType.DOUBLE, ReduceOp.SUM),
                        region(ElementType.DOUBLE, values, 0, count));
                byRank[rank] = values;
            });
            results.addAll(List.of(byRank));
        }
        assertThat(results).allSatisfy(result -> assertThat(result).isEqualTo(results.get(0)));
    }

    /** Of two values this takes the first: that of rank 0 is left, if the ranks' order is kept. A ring has no first rank. */
    @ParameterizedTest
    @MethodSource("worlds")
    void allReduce_operatorThatDoesNotCommute_keepsTheOrderOfRanks(Transport transport, int size) throws Exception {
        Combiner first = (into, other, count) -> {};
        run(transport, size, (rank, exchange) -> {
            long seq = 0;
            for (int bytes : SIZES_BY_ALGORITHM) {
                boolean isRing =
                        transport == Transport.TCP && size > DirectExchange.MOST_RANKS && bytes >= PeerLink.PIECE;
                int count = isRing ? 1 : bytes / Integer.BYTES;
                int[] values = new int[count];
                Arrays.fill(values, 1 + rank);
                Operation op = new Operation(seq++, Operation.Kind.ALL_REDUCE, ElementType.INT, null, 0, count);
                exchange.allReduce(op, first, region(ElementType.INT, values, 0, count));
                assertThat(values).as("%d", count).isEqualTo(filled(count));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void reduceScatter_unequalParts_givesEachRankItsOwn(Transport transport, int size) throws Exception {
        run(
                transport,
                size,
                (rank, exchange) -> forEachSize(size, (seq, type, count, bounds) -> {
                    Object values = values(type, count, rank);
                    Object before = values(type, count, rank);
                    int own = bounds[rank + 1] - bounds[rank];
                    Object mine = type.newArray(own + 2);
                    exchange.reduceScatter(
                            new Operation(seq, Operation.Kind.REDUCE_SCATTER, type, ReduceOp.SUM, 0, count),
                            Combiners.of(type, ReduceOp.SUM),
                            region(type, values, 0, count),
                            bounds,
                            region(type, mine, 1, own));
                    Object expected = type.newArray(own + 2);
                    System.arraycopy(reduced(type, ReduceOp.SUM, count, size), bounds[rank], expected, 1, own);
                    assertThat(mine).as("%s %d", type, count).isEqualTo(expected);
                    assertThat(values).isEqualTo(before);
                }));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void allGather_unequalParts_givesAllToAll(Transport transport, int size) throws Exception {
        run(
                transport,
                size,
                (rank, exchange) -> forEachSize(size, (seq, type, count, bounds) -> {
                    Object all = values(type, count, 7);
                    Object values = type.newArray(count);
                    System.arraycopy(all, bounds[rank], values, bounds[rank], bounds[rank + 1] - bounds[rank]);
                    Operation op = new Operation(seq, Operation.Kind.ALL_GATHER, type, null, 0, count);
                    exchange.allGather(op, region(type, values, 0, count), bounds);
                    assertThat(values).as("%s %d", type, count).isEqualTo(all);
                }));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void broadcast_fromEachRoot_reachesAll(Transport transport, int size) throws Exception {
        run(transport, size, (rank, exchange) -> {
            long seq = 0;
            for (int root = 0; root < size; root++) {
                for (int bytes : SIZES) {
                    long[] values = (long[]) values(ElementType.LONG, bytes / 8, rank);
                    Operation op =
                            new Operation(seq++, Operation.Kind.BROADCAST, ElementType.LONG, null, root, values.length);
                    exchange.broadcast(op, root, region(ElementType.LONG, values, 0, values.length));
                    assertThat(values).isEqualTo(values(ElementType.LONG, bytes / 8, root));
                    exchange.barrier(new Operation(seq++, Operation.Kind.BARRIER, ElementType.NONE, null, 0, 0));
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void partsOfArraysAndDirectBuffers_changeNothingElse(Transport transport, int size) throws Exception {
        run(transport, size, (rank, exchange) -> {
            float[] values = new float[20_000];
            Arrays.fill(values, 1);
            Operation op = new Operation(0, Operation.Kind.ALL_REDUCE, ElementType.FLOAT, ReduceOp.SUM, 0, 19_990);
            Combiner sum = Combiners.of(ElementType.FLOAT, ReduceOp.SUM);
            exchange.allReduce(op, sum, region(ElementType.FLOAT, values, 3, 19_990));
            for (int i = 0; i < values.length; i++) {
                assertThat(values[i]).isEqualTo(i < 3 || i >= 19_993 ? 1 : size);
            }
            ByteBuffer direct = ByteBuffer.allocateDirect(4 * 20_000 + 5).position(5);
            exchange.allReduce(
                    new Operation(1, Operation.Kind.ALL_REDUCE, ElementType.FLOAT, ReduceOp.SUM, 0, 20_000),
                    sum,
                    new Region().set(ElementType.FLOAT, direct));
            assertThat(direct.position()).isEqualTo(5);
        });
    }

    @Test
    void combiner_bitsOfFractions_isRefusedByName() {
        assertThatThrownBy(() -> Combiners.of(ElementType.DOUBLE, ReduceOp.BIT_XOR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("op: BIT_XOR on doubles (expected: SUM, PROD, MIN or MAX)");
    }

    private static int[] filled(int count) {
        int[] ones = new int[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    private interface Parts {
        void exchange(long seq, ElementType type, int count, int[] bounds) throws Exception;
    }

    private static void forEachSize(int size, Parts parts) throws Exception {
        long seq = 0;
        for (ElementType type : TYPES) {
            for (int bytes : SIZES) {
                int count = bytes / type.width();
                parts.exchange(seq++, type, count, bounds(count, size));
            }
        }
    }

    private void run(Transport transport, int size, TestExchanges.Program program) throws Exception {
        try (TestExchanges exchanges = new TestExchanges(directory, transport, size)) {
            exchanges.run(program);
        }
    }

    static Region region(ElementType type, Object values, int from, int count) {
        return switch (type) {
            case NONE, BYTE -> new Region().set((byte[]) values, from, count);
            case INT -> new Region().set((int[]) values, from, count);
            case LONG -> new Region().set((long[]) values, from, count);
            case FLOAT -> new Region().set((float[]) values, from, count);
            case DOUBLE -> new Region().set((double[]) values, from, count);
        };
    }

    private static List<ReduceOp> operators(ElementType type) {
        boolean isFraction = type == ElementType.FLOAT || type == ElementType.DOUBLE;
        return Stream.of(ReduceOp.values())
                .filter(op -> !isFraction || !Reference.isForIntegersOnly(op))
                .toList();
    }

    /** Every third part is empty, the others differ. */
    private static int[] bounds(int count, int size) {
        int[] bounds = new int[size + 1];
        for (int part = 1; part < size; part++) {
            int next = part % 3 == 2 ? bounds[part - 1] : bounds[part - 1] + count / size - part % 2;
            bounds[part] = Math.max(bounds[part - 1], Math.min(count, next));
        }
        bounds[size] = count;
        return bounds;
    }

    /** Whole numbers, small enough to be exact in any order, the same again every {@link #PERIOD} elements. */
    private static long value(int i, int rank) {
        return 1 + (i + rank * 5L) % PERIOD;
    }

    private static Object values(ElementType type, int count, int rank) {
        return repeated(type, count, i -> value(i, rank));
    }

    private static Object reduced(ElementType type, ReduceOp op, int count, int size) {
        return repeated(type, count, i -> {
            long result = value(i, 0);
            for (int rank = 1; rank < size; rank++) {
                result = Reference.apply(op, result, value(i, rank));
            }
            return result;
        });
    }

    private static Object repeated(ElementType type, int count, IntToLongFunction element) {
        Object values = type.newArray(count);
        int done = Math.min(count, PERIOD);
        for (int i = 0; i < done; i++) {
            set(values, i, element.applyAsLong(i));
        }
        while (done < count) {
            int more = Math.min(done, count - done);
            System.arraycopy(values, 0, values, done, more);
            done += more;
        }
        return values;
    }

    private static void set(Object array, int i, long value) {
        if (array instanceof byte[] bytes) {
            bytes[i] = (byte) value;
        } else if (array instanceof int[] ints) {
            ints[i] = (int) value;
        } else if (array instanceof float[] floats) {
            floats[i] = value;
        } else if (array instanceof long[] longs) {
            longs[i] = value;
        } else {
            ((double[]) array)[i] = value;
        }
    }
}
