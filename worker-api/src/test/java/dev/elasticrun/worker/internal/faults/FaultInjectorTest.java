/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.internal.engine.TestCluster;
import dev.elasticrun.worker.internal.engine.ThreadListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The instants are reported where the table of failures needs them. */
@Timeout(60)
final class FaultInjectorTest {
    @TempDir
    private Path directory;

    @Test
    void at_operationsAndCheckpoints_countPerVersion() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            List<List<String>> reported = cluster.run(1, cluster.workers, collective -> {
                List<String> received = new ArrayList<>();
                ThreadListener.set((instant, rank, version, seq) -> received.add(instant + " " + version + "," + seq));
                try {
                    collective.allReduce(new long[1], ReduceOp.SUM);
                    collective.broadcastBytes(new byte[1], 0);
                    collective.checkpoint(new byte[1]);
                    collective.barrier();
                } finally {
                    ThreadListener.clear();
                }
                return received;
            });
            assertThat(reported)
                    .containsOnly(List.of(
                            "OPERATION 0,0",
                            "OPERATION 0,1",
                            "OPERATION 0,2",
                            "OPERATION 0,3",
                            "STAGED 0,3",
                            "AGREED 0,3",
                            "OPERATION 1,0"));
        }
    }
}
