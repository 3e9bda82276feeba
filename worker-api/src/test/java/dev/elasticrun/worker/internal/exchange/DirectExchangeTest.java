/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.engine.TestExchanges;
import dev.elasticrun.worker.internal.net.PeerLink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations over TCP in worlds in which each rank talks to each. */
@Timeout(60)
@Tag("once")
final class DirectExchangeTest {
    private static final int COUNT = 30_000;
    /** Longer than a rank waits until it looks whether peers have hung up from whom it needs nothing. */
    private static final long LATE_MILLIS = 2500;

    private static final Operation LEAVE = new Operation(0, Operation.Kind.LEAVE, ElementType.NONE, null, 0, 0);

    @TempDir
    private Path directory;

    /** Three steps, in which a rank can be ahead of one partner and behind another. */
    @Test
    void allReduce_eightRanksInPairs_combinesAll() throws Exception {
        try (TestExchanges exchanges = new TestExchanges(directory, Transport.TCP, 8)) {
            exchanges.run((rank, exchange) -> {
                for (int seq = 0; seq < 200; seq++) {
                    long[] values = {1L << rank, seq};
                    Operation op = new Operation(seq, Operation.Kind.ALL_REDUCE, ElementType.LONG, ReduceOp.SUM, 0, 2);
                    Combiner sum = Combiners.of(ElementType.LONG, ReduceOp.SUM);
                    exchange.allReduce(op, sum, new Region().set(values, 0, 2));
                    assertThat(values).containsExactly(255, 8L * seq);
                }
            });
        }
    }

    /** Rank 2 has sent all that can be taken for now; rank 1, which would be needed to go on, never calls. */
    @Test
    void allReduce_peerHangsUpWhileAnotherIsAwaited_breaks() throws Exception {
        Operation op = new Operation(0, Operation.Kind.ALL_REDUCE, ElementType.FLOAT, ReduceOp.SUM, 0, COUNT);
        CountDownLatch isOver = new CountDownLatch(1);
        try (TestExchanges exchanges = new TestExchanges(directory, Transport.TCP, 3)) {
            exchanges.run((rank, exchange) -> {
                if (rank == 0) {
                    float[] values = new float[COUNT];
                    Combiner sum = Combiners.of(ElementType.FLOAT, ReduceOp.SUM);
                    assertThatThrownBy(() -> exchange.allReduce(op, sum, new Region().set(values, 0, COUNT)))
                            .isInstanceOfSatisfying(BrokenLinkException.class, e -> assertThat(e.rank())
                                    .isEqualTo(2));
                    isOver.countDown();
                } else if (rank == 1) {
                    isOver.await();
                } else {
                    ByteBuffer statement = statement(op);
                    PeerLink link = exchanges.mesh(2).link(0);
                    link.send(statement, ByteBuffer.allocate(COUNT / 3 * Float.BYTES));
                    link.skip();
                    exchanges.mesh(2).close();
                }
            });
        }
    }

    /** Rank 0 does something of its own before it leaves, and hangs up as soon as it has. Several times: it is a race. */
    @RepeatedTest(4)
    void leave_peerComesLateAndHangsUpAtOnce_returns() throws Exception {
        try (TestExchanges exchanges = new TestExchanges(directory, Transport.TCP, 2)) {
            exchanges.run((rank, exchange) -> {
                if (rank == 0) {
                    TimeUnit.MILLISECONDS.sleep(LATE_MILLIS);
                }
                exchange.barrier(LEAVE);
                exchanges.mesh(rank).close();
            });
        }
    }

    /** Rank 2 was stopped between its statements to the others: rank 1 has left long before rank 0 can. */
    @Test
    void leave_peerHangsUpWhileAnotherIsAwaited_returns() throws Exception {
        try (TestExchanges exchanges = new TestExchanges(directory, Transport.TCP, 3)) {
            exchanges.run((rank, exchange) -> {
                if (rank == 2) {
                    exchanges.mesh(2).link(1).send(statement(LEAVE));
                    TimeUnit.MILLISECONDS.sleep(LATE_MILLIS);
                    exchanges.mesh(2).link(0).send(statement(LEAVE));
                } else {
                    exchange.barrier(LEAVE);
                    exchanges.mesh(rank).close();
                }
            });
        }
    }

    /** Who hangs up without a statement has not left. */
    @Test
    void leave_peerHangsUpWithoutAStatement_breaks() throws Exception {
        try (TestExchanges exchanges = new TestExchanges(directory, Transport.TCP, 2)) {
            exchanges.run((rank, exchange) -> {
                if (rank == 0) {
                    assertThatThrownBy(() -> exchange.barrier(LEAVE)).isInstanceOf(BrokenLinkException.class);
                } else {
                    exchanges.mesh(1).link(0);
                    exchanges.mesh(1).close();
                }
            });
        }
    }

    /** As a peer sends it before an operation. */
    private static ByteBuffer statement(Operation op) {
        ByteBuffer statement = ByteBuffer.allocate(Operation.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        op.write(statement);
        return statement.flip();
    }
}
