/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the engine itself allocates for a call, with results kept: a world of one has no exchange. */
@Timeout(60)
final class EngineAllocationTest {
    private static final int CALLS = 20_000;

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
}
