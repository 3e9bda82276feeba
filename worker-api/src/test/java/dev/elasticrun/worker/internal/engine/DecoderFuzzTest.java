/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.bootstrap.BootstrapIndex;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointAgreementTest;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.net.Hello;
import dev.elasticrun.worker.internal.replay.LogPosition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What arrives from others is understood or refused with the exception for that, and cannot make us take much memory. */
final class DecoderFuzzTest {
    private static final int TIMES = 50_000;
    private static final long MAX_ALLOCATED = 64 * 1024;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private interface Decoder {
        void decode(byte[] bytes) throws IOException;
    }

    @Test
    void peerState() {
        List<CheckpointInventory.Copy> copies = List.of(
                new CheckpointInventory.Copy(
                        new CheckpointId("i1", 1, 2, 3),
                        4,
                        100,
                        CheckpointInventory.State.COMMITTED,
                        new CheckpointInventory.Locals(false, false, 0, -1, List.of(), List.of())),
                new CheckpointInventory.Copy(
                        new CheckpointId("i1", 1, 3, 4),
                        4,
                        200,
                        CheckpointInventory.State.STAGED,
                        new CheckpointInventory.Locals(
                                true,
                                true,
                                3,
                                1,
                                List.of(
                                        new CheckpointInventory.Local(1, 1, true, 10, 11),
                                        new CheckpointInventory.Local(0, 0, true, 10, 12)),
                                CheckpointAgreementTest.parity(3))));
        BitSet arrived = new BitSet();
        arrived.set(3, 90);
        byte[] real = new PeerState(
                        new LogPosition(1, 1, true, 2, 7, 0, 2),
                        new BootstrapIndex(List.of(new BootstrapIndex.Entry(5, 6), new BootstrapIndex.Entry(7, 8))),
                        new CheckpointInventory(
                                4,
                                false,
                                copies,
                                List.of(new CheckpointInventory.Partial(
                                        new CheckpointId("i1", 1, 2, 3), -1, 9, 8, arrived))))
                .encode();
        feed(real, bytes -> PeerState.decode(bytes, "i1"));
    }

    @Test
    void operation() {
        ByteBuffer real = ByteBuffer.allocate(Operation.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        new Operation(7, Operation.Kind.ALL_REDUCE, ElementType.DOUBLE, ReduceOp.SUM, 0, 31).write(real);
        feed(real.array(), bytes -> Operation.read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)));
    }

    @Test
    void hello() throws IOException {
        ByteArrayOutputStream real = new ByteArrayOutputStream();
        new Hello(false, "i1", 3, 1, 0, 40_000).write(new DataOutputStream(real));
        feed(real.toByteArray(), bytes -> Hello.read(new DataInputStream(new ByteArrayInputStream(bytes))));
    }

    private static void feed(byte[] real, Decoder decoder) {
        Random random = new Random(real.length);
        long most = 0;
        for (int i = 0; i < TIMES; i++) {
            byte[] bytes = i == 0 ? real : Mutations.mutate(real, random);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            try {
                decoder.decode(bytes);
            } catch (IOException | IllegalArgumentException e) {
                assertThat(i).as("the real one: %s", e).isPositive();
            }
            // The first ones load classes.
            most = i < 1000 ? 0 : Math.max(most, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(most).as("bytes allocated for one").isLessThan(MAX_ALLOCATED);
    }
}
