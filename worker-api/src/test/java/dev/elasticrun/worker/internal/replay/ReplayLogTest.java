/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.exchange.Call;
import dev.elasticrun.worker.internal.exchange.Combiner;
import dev.elasticrun.worker.internal.exchange.Exchange;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.exchange.Region;
import org.junit.jupiter.api.Test;

final class ReplayLogTest {
    private static final int LENGTH = 8;

    @Test
    void stride_isTheWorldByTheCopies() {
        assertThat(ReplayLog.stride(3, 5)).isEqualTo(1);
        assertThat(ReplayLog.stride(10, 5)).isEqualTo(2);
        assertThat(ReplayLog.stride(64, 5)).isEqualTo(12);
    }

    @Test
    void keepsEveryStrideth_andTheNewest() {
        ReplayLog log = new ReplayLog(1 << 20);
        log.reset(4, 3);
        append(log, 0, 9);
        assertThat(held(log, 9)).containsExactly(1, 4, 7, 8);
        assertHoldsAsStated(log, 4, 9);
    }

    @Test
    void bound_dropsTheOldest_butNeverTheNewest() {
        ReplayLog log = new ReplayLog(3 * LENGTH);
        log.reset(0, 1);
        append(log, 0, 6);
        assertThat(held(log, 6)).containsExactly(2, 3, 4, 5);
        assertThat(log.floor()).isEqualTo(2);
        assertHoldsAsStated(log, 0, 6);
        ReplayLog tiny = new ReplayLog(1);
        tiny.reset(0, 1);
        append(tiny, 0, 6);
        assertThat(held(tiny, 6)).containsExactly(5);
        assertHoldsAsStated(tiny, 0, 6);
    }

    @Test
    void recoveredResult_isTakenOnce_andThenKept() {
        ReplayLog log = new ReplayLog(1 << 20);
        log.reset(0, 1);
        log.recover(operation(0), new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(log.recovered(0)).isNotNull();
        byte[] into = new byte[LENGTH];
        log.takeRecovered(0, call(0, into), 0);
        assertThat(into).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(log.recovered(0)).isNull();
        assertThat(log.find(0)).isPresent();
    }

    @Test
    void replayFromStart_givesBackWhatIsKept() {
        ReplayLog log = new ReplayLog(1 << 20);
        log.reset(0, 1);
        append(log, 0, 4);
        log.replayFromStart(3);
        assertThat(held(log, 4)).isEmpty();
        assertThat(log.recovered(0)).isNotNull();
        assertThat(log.recovered(2)).isNotNull();
        assertThat(log.recovered(3)).isNull();
    }

    @Test
    void clear_forgetsAll_andUsesTheMemoryAgain() {
        ReplayLog log = new ReplayLog(1 << 20);
        log.reset(0, 1);
        append(log, 0, 1);
        ReplayLog.Result first = log.find(0).orElseThrow();
        log.clear();
        assertThat(log.find(0)).isEmpty();
        append(log, 0, 1);
        assertThat(log.find(0).orElseThrow()).isSameAs(first);
    }

    @Test
    void execute_thatBreaksOff_keepsNothing_andLeavesTheCallersValues() {
        ReplayLog log = new ReplayLog(1 << 20);
        log.reset(0, 1);
        byte[] values = {1, 2, 3, 4, 5, 6, 7, 8};
        assertThatThrownBy(() -> log.execute(call(0, values), new OneByte(9, true), 0))
                .isInstanceOf(BrokenLinkException.class);
        assertThat(values).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(log.find(0)).isEmpty();
    }

    private static void append(ReplayLog log, int from, int to) {
        for (int seq = from; seq < to; seq++) {
            byte[] values = new byte[LENGTH];
            try {
                log.execute(call(seq, values), new OneByte(seq, false), 0);
            } catch (BrokenLinkException e) {
                throw new AssertionError(e);
            }
            assertThat(values[0]).isEqualTo((byte) seq);
        }
    }

    private static void assertHoldsAsStated(ReplayLog log, int rank, int end) {
        LogPosition progress = new LogPosition(1, 1, true, 0, end, log.floor(), log.stride());
        for (int seq = 0; seq < end + 2; seq++) {
            assertThat(progress.holds(rank, seq))
                    .as("operation " + seq)
                    .isEqualTo(log.find(seq).isPresent());
        }
    }

    private static int[] held(ReplayLog log, int end) {
        return java.util.stream.IntStream.range(0, end)
                .filter(seq -> log.find(seq).isPresent())
                .peek(seq -> assertThat(log.find(seq).orElseThrow().array()[0]).isEqualTo((byte) seq))
                .toArray();
    }

    private static Call call(long seq, byte[] values) {
        Call call = new Call();
        call.data().set(values, 0, values.length);
        call.combiner((into, other, count) -> {});
        call.operation().set(Operation.Kind.ALL_REDUCE, ElementType.BYTE, ReduceOp.SUM, 0, LENGTH);
        call.operation().at(0, seq);
        return call;
    }

    private static Operation operation(long seq) {
        return new Operation(seq, Operation.Kind.ALL_REDUCE, ElementType.BYTE, ReduceOp.SUM, 0, LENGTH);
    }

    /** Writes the first byte of a result, and breaks off then, or not. */
    private record OneByte(int value, boolean breaks) implements Exchange {
        @Override
        public void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
            data.store(0, new byte[] {(byte) value}, 0, 1);
            if (breaks) {
                throw new BrokenLinkException(1, "cut");
            }
        }

        @Override
        public void broadcast(Operation op, int root, Region data) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void barrier(Operation op) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void agree(Operation op, long digest) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void allGather(Operation op, Region data, int[] bounds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reduceScatter(Operation op, Combiner combiner, Region data, int[] bounds, Region mine) {
            throw new UnsupportedOperationException();
        }
    }
}
