/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that run apart receive that, all of them, instead of waiting for each other. */
@Timeout(60)
final class MismatchTest {
    @TempDir
    private Path directory;

    /** The odd rank out at each place of the tree and the ring, small against large, one kind against another. */
    @ParameterizedTest
    @CsvSource({
        "4, 0, 100000, 10", "4, 1, 100000, 10", "4, 2, 100000, 10", "4, 3, 100000, 10",
        "4, 0, 10, 100000", "4, 1, 10, 100000", "4, 2, 10, 100000", "4, 3, 10, 100000",
        "5, 4, 100000, 0", "5, 3, 100000, 0", "5, 0, 10, 0", "3, 2, 10, 0",
        "2, 1, 10, 11", "2, 0, 100000, 100001"
    })
    void allReduce_oneRankDiffers_failsOnAllRanksNamingTwo(int size, int odd, int count, int oddCount)
            throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<Future<Boolean>> futures = cluster.start(1, cluster.workers, collective -> {
                int length = collective.rank() == odd ? oddCount : count;
                if (length == 0) {
                    collective.barrier();
                } else {
                    collective.allReduce(new double[length], ReduceOp.SUM);
                }
                // Who got through before the odd one arrived learns of it in the next operation.
                collective.barrier();
                return true;
            });
            for (Future<Boolean> future : futures) {
                assertThat(TestCluster.failure(future))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("rank " + odd + " called " + (oddCount == 0 ? "barrier()" : "allReduce"))
                        .hasMessageContaining("double[" + count + "], SUM")
                        .hasMessageContaining("operation 0")
                        .hasMessageContaining(
                                "; rank " + odd + " at dev.elasticrun.worker.internal.engine.MismatchTest.")
                        .hasMessageMatching("(?s).*MismatchTest\\..*MismatchTest\\..*");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "3, 2", "4, 3", "5, 1"})
    void checkpoint_contentsDiffer_failsOnAllRanksNamingTwo(int size, int odd) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, size)) {
            List<Future<Boolean>> futures = cluster.start(1, cluster.workers, collective -> {
                collective.checkpoint(new byte[] {(byte) (collective.rank() == odd ? 1 : 0)});
                return true;
            });
            for (Future<Boolean> future : futures) {
                assertThat(TestCluster.failure(future))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("checkpoint(version 1) differs")
                        .hasMessageContaining("rank " + odd);
            }
            assertThat(cluster.workers).allMatch(worker -> worker.plane.version() == 0);
        }
    }
}
