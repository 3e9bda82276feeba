/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.ElasticShards;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards as ranks agree on them over a collective. */
@Tag("once")
@Timeout(60)
final class ShardsOfAWorldTest {
    @TempDir
    private Path directory;

    @Test
    void agree_worldLosesOneAndGetsOne_survivorsKeepTheirs() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            List<Integer> first =
                    cluster.run(1, cluster.workers, collective -> ElasticShards.agree(collective, 3, ElasticShards.NONE)
                            .mine());
            assertThat(first).containsExactly(0, 1, 2);

            cluster.workers.forEach(worker -> worker.pause(1));
            List<TestWorker> next = List.of(cluster.start(), cluster.workers.get(2), cluster.workers.get(0));
            int[] held = {ElasticShards.NONE, 2, 0};
            List<Integer> second =
                    cluster.run(2, next, collective -> ElasticShards.agree(collective, 3, held[collective.rank()])
                            .mine());
            assertThat(second).containsExactly(1, 2, 0);
        }
    }

    @Test
    void agree_numbersOfShardsDiffer_allRanksReportWhich() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            for (Future<Integer> future : cluster.start(1, cluster.workers, collective -> ElasticShards.agree(
                            collective, 4 + collective.rank(), ElasticShards.NONE)
                    .mine())) {
                assertThat(TestCluster.failure(future))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("shards: 4 on rank 0, 5 on rank 1 (expected: the same on all ranks)");
            }
        }
    }
}
