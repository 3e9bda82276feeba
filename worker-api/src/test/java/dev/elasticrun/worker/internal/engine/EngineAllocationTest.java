/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a call allocates: in a world of one only the engine itself does, with results kept; in one of two the exchange. */
@Timeout(60)
final class EngineAllocationTest {
    private static final int CALLS = 20_000;
    private static final int CALLS_OF_SEVERAL = 15;

    @TempDir
    private Path directory;

    @Test
    void arrayCalls_allocateNothing_onceSizesWereSeen() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (TestWorker worker = new TestWorker(directory, new ReplayLimits(5, 1 << 16))) {
            Collective collective = worker.join(TestCluster.table(1, java.util.List.of(worker)), 0);
            float[] values = new float[256];
            float[] part = new float[256];
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < CALLS; i++) {
                    collective.allReduce(values, ReduceOp.SUM);
                    collective.allReduce(values, 3, 200, ReduceOp.MAX);
                    collective.broadcast(values, 0);
                    collective.allGather(part, values);
                    collective.reduceScatter(values, part, ReduceOp.SUM);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least / CALLS).as("bytes for five calls").isZero();
        }
    }

    /** Values that fit into one frame or slot, and some that need several pieces. */
    @ParameterizedTest
    @CsvSource({"SHM, 2", "TCP, 2", "SHM, 4", "TCP, 4", "AUTO, 4"})
    void callsOfSeveralRanks_allocateNothing_onceSizesWereSeen(Transport transport, int size) throws Exception {
        try (TestCluster cluster = TestCluster.of(directory, transport, TestWorker.WAITS, ReplayLimits.OFF, size)) {
            assertThat(cluster.run(1, cluster.workers, EngineAllocationTest::bytesOfSevenCalls))
                    .as("bytes for seven calls, by rank")
                    .containsOnly(0L);
        }
    }

    private static long bytesOfSevenCalls(Collective collective) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        double[] few = new double[256];
        double[] many = new double[150_000];
        double[] all = new double[256 * collective.worldSize()];
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS_OF_SEVERAL; i++) {
                collective.barrier();
                collective.broadcast(few, i & 1);
                collective.allReduce(few, ReduceOp.MAX);
                collective.allReduce(many, ReduceOp.MAX);
                collective.broadcast(many, i & 1);
                collective.allGather(few, all);
                collective.reduceScatter(all, few, ReduceOp.SUM);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / CALLS_OF_SEVERAL;
    }
}
