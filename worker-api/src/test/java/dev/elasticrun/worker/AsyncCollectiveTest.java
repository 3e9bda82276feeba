/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.internal.engine.TestCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class AsyncCollectiveTest {
    @TempDir
    private Path directory;

    @Test
    void futures_areDoneInTheOrderOfTheirCalls_andBlockingCallsWaitTheirTurn() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            List<Long> sums = cluster.run(1, cluster.workers, collective -> {
                List<long[]> arrays = new ArrayList<>();
                List<CompletableFuture<Void>> futures = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    long[] values = {i + collective.rank()};
                    arrays.add(values);
                    futures.add(collective.async().allReduce(values, ReduceOp.SUM));
                }
                CompletableFuture<byte[]> root = collective.async().broadcastBytes(new byte[collective.rank()], 2);
                byte[] filled = {(byte) collective.rank()};
                CompletableFuture<Void> fill = collective.async().broadcast(filled, 2);
                long[] last = {1};
                collective.allReduce(last, ReduceOp.SUM);
                assertThat(futures).allMatch(CompletableFuture::isDone);
                assertThat(root.get()).hasSize(2);
                assertThat(fill).isDone();
                assertThat(filled).containsExactly((byte) 2);
                return last[0] + arrays.stream().mapToLong(values -> values[0]).sum();
            });
            assertThat(sums).containsOnly(3L + 3 * 49 * 50 / 2 + 50 * 3);
        }
    }

    @Test
    void ownFunction_isOneEntryOfTheQueue() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            List<Integer> results = cluster.run(1, cluster.workers, collective -> collective
                    .async()
                    .submit(same -> {
                        same.barrier();
                        return same.allGather(new byte[1]).size();
                    })
                    .get(20, TimeUnit.SECONDS));
            assertThat(results).containsOnly(2);
        }
    }

    @Test
    void worldChanges_endsAllThatIsQueued() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            CountDownLatch queued = new CountDownLatch(1);
            List<Future<List<Throwable>>> futures = cluster.start(1, cluster.workers, collective -> {
                collective.barrier();
                List<Throwable> failures = new ArrayList<>();
                if (collective.rank() == 0) {
                    CompletableFuture<Void> first = collective.async().barrier();
                    CompletableFuture<Void> second = collective.async().allReduce(new int[1], ReduceOp.SUM);
                    queued.countDown();
                    for (CompletableFuture<Void> each : List.of(first, second)) {
                        try {
                            each.get();
                        } catch (ExecutionException e) {
                            failures.add(e.getCause());
                        }
                    }
                }
                return failures;
            });
            assertThat(futures.get(1).get(20, TimeUnit.SECONDS)).isEmpty();
            assertThat(queued.await(20, TimeUnit.SECONDS)).isTrue();
            cluster.workers.get(0).pause(1);
            assertThat(futures.get(0).get(20, TimeUnit.SECONDS))
                    .hasSize(2)
                    .allMatch(WorldChangedException.class::isInstance);
        }
    }

    @Test
    void mismatch_namesThePlaceOfTheCallAndNotThatOfTheQueue() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            List<Future<Boolean>> futures = cluster.start(1, cluster.workers, collective -> {
                collective
                        .async()
                        .allReduce(new int[1 + collective.rank()], ReduceOp.SUM)
                        .get();
                return true;
            });
            for (Future<Boolean> future : futures) {
                Throwable failure = TestCluster.failure(future);
                assertThat(failure.getCause())
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("; rank 0 at dev.elasticrun.worker.AsyncCollectiveTest.")
                        .hasMessageContaining("; rank 1 at dev.elasticrun.worker.AsyncCollectiveTest.");
            }
        }
    }
}
