/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.UpMessage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds over TLS: all exchanges, the death of a peer, a pause. */
@Timeout(60)
final class TlsCollectiveTest {
    private static final int[] SIZES = {0, 1, 31, 4096, 20_000, 300_000};

    @TempDir
    private Path directory;

    private TestCluster cluster(int size) {
        TestCluster cluster = new TestCluster(directory, 0);
        for (int i = 0; i < size; i++) {
            cluster.workers.add(new TestWorker(TestTls.network("run"), directory.resolve("node" + i)));
        }
        return cluster;
    }

    /** Nine ranks use trees and rings. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 9})
    void operations_allSizes_giveTheSameOnAllRanks(int size) throws Exception {
        try (TestCluster cluster = cluster(size)) {
            List<Boolean> results = cluster.run(1, cluster.workers, collective -> {
                for (int count : SIZES) {
                    double[] sums = new double[count];
                    Arrays.fill(sums, collective.rank());
                    collective.allReduce(sums, ReduceOp.SUM);
                    assertThat(Arrays.stream(sums).allMatch(sum -> sum == size * (size - 1) / 2.0))
                            .isTrue();
                    long[] first = new long[count];
                    Arrays.fill(first, collective.rank() + 7);
                    collective.broadcast(first, 0);
                    assertThat(Arrays.stream(first).allMatch(value -> value == 7))
                            .isTrue();
                }
                collective.checkpoint(new byte[100_000]);
                return true;
            });
            assertThat(results).hasSize(size).containsOnly(true);
        }
    }

    @Test
    void allReduce_peerDies_isBlamed() throws Exception {
        try (TestCluster cluster = cluster(2)) {
            TestWorker survivor = cluster.workers.get(0);
            List<Future<Object>> all = cluster.start(1, cluster.workers, collective -> {
                collective.barrier();
                if (collective.rank() == 1) {
                    cluster.workers.get(1).close();
                    return "gone";
                }
                collective.allReduce(new double[100_000], ReduceOp.SUM);
                return "went on";
            });
            await().until(() -> survivor.control.reports().contains(new UpMessage.PeerLost(1, 1)));
            survivor.pause(2);
            assertThat(TestCluster.failure(all.get(0))).isInstanceOf(WorldChangedException.class);
        }
    }

    @Test
    void allReduce_paused_isFreed() throws Exception {
        try (TestCluster cluster = cluster(2)) {
            List<Future<Object>> all = cluster.start(1, cluster.workers, collective -> {
                collective.barrier();
                if (collective.rank() == 0) {
                    collective.allReduce(new double[1], ReduceOp.SUM);
                } else {
                    cluster.workers.get(0).pause(2);
                }
                return "done";
            });
            assertThat(TestCluster.failure(all.get(0))).isInstanceOf(WorldChangedException.class);
            assertThat(TestCluster.results(List.of(all.get(1)))).containsExactly("done");
        }
    }
}
