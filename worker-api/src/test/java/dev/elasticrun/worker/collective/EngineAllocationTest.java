/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
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
    private static final int CALLS_OF_TWO = 500;

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

    /** What is left over TCP are the views of buffers and what the platform's channels allocate, whatever the size. */
    @ParameterizedTest
    @CsvSource({"SHM, 200", "TCP, 2000"})
    void callsOfTwoRanks_allocateNextToNothing_onceSizesWereSeen(Transport transport, long most) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            for (int i = 0; i < 2; i++) {
                Path own = Files.createDirectories(directory.resolve("w" + i));
                cluster.workers.add(
                        transport == Transport.SHM
                                ? TestWorker.sharing(own, TestWorker.WAITS, ReplayLimits.OFF)
                                : new TestWorker(own, TestWorker.WAITS, ReplayLimits.OFF));
            }
            assertThat(cluster.run(1, cluster.workers, EngineAllocationTest::bytesOfThreeCalls))
                    .as("bytes for three calls, by rank")
                    .allMatch(bytes -> bytes <= most);
        }
    }

    private static long bytesOfThreeCalls(Collective collective) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        double[] values = new double[256];
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS_OF_TWO; i++) {
                collective.barrier();
                collective.broadcast(values, i & 1);
                collective.allReduce(values, ReduceOp.MAX);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / CALLS_OF_TWO;
    }
}
