/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.CollectiveTimeoutException;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer whose process lives but whose program never calls is waited for until the time-out, and not for ever. */
@Timeout(60)
final class OperationTimeoutTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final WaitLimits WAITS = new WaitLimits(Duration.ofSeconds(20), LIMIT);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"TCP", "SHM"})
    void peerNeverCalls_throwsWithOperationPlaceRanksAndTime(Transport transport) throws Exception {
        try (TestCluster cluster = cluster(transport, WAITS, 2, ReplayLimits.OFF)) {
            CountDownLatch begun = new CountDownLatch(1);
            Future<Collective> caller = silentPeer(cluster, begun);
            TestWorker worker = cluster.workers.get(0);
            begun.await();
            worker.plane.tick(System.nanoTime() + LIMIT.dividedBy(2).toNanos());
            assertThat(caller).isNotDone();

            assertThat(failureAfter(worker, LIMIT, caller))
                    .hasMessageStartingWith("allReduce(double[31], SUM) as operation 1 at "
                            + getClass().getName())
                    .hasMessageMatching(".* waited 18[0-9]{5} ms for ranks \\[1] of round 1: .*")
                    .asInstanceOf(type(CollectiveTimeoutException.class))
                    .satisfies(e -> assertThat(e.ranks()).containsExactly(1))
                    .satisfies(e -> assertThat(e.waited()).isGreaterThan(LIMIT));
            assertThat(worker.control.reports()).noneMatch(UpMessage.PeerLost.class::isInstance);
        }
    }

    @Test
    void afterTheTimeout_everyCallThrowsIt() throws Exception {
        try (TestCluster cluster = cluster(Transport.TCP, WAITS, 2, ReplayLimits.OFF)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            CountDownLatch joined = new CountDownLatch(2);
            List<Future<Boolean>> futures = cluster.startEach(2, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                joined.countDown();
                if (rank == 0) {
                    assertThatThrownBy(collective::barrier).isInstanceOf(CollectiveTimeoutException.class);
                    assertThatThrownBy(() -> collective.allReduce(new int[1], ReduceOp.MAX))
                            .isInstanceOf(CollectiveTimeoutException.class)
                            .hasMessageStartingWith("barrier()");
                }
                return true;
            });
            joined.await();
            tickUntilDone(cluster.workers.get(0), LIMIT, futures.get(0));
            assertThat(TestCluster.results(futures)).containsExactly(true, true);
        }
    }

    @Test
    void otherRanks_blameTheOneThatGaveUp_andSeeTheWorldChange() throws Exception {
        try (TestCluster cluster = cluster(Transport.TCP, WAITS, 3, ReplayLimits.OFF)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            CountDownLatch begun = new CountDownLatch(2);
            List<Future<Boolean>> futures = cluster.startEach(3, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                collective.barrier();
                begun.countDown();
                if (rank != 2) {
                    collective.barrier();
                }
                return true;
            });
            begun.await();
            assertThat(failureAfter(cluster.workers.get(0), LIMIT, futures.get(0)))
                    .isInstanceOf(CollectiveTimeoutException.class);
            TestWorker other = cluster.workers.get(1);
            await().until(() -> other.control.reports().contains(new UpMessage.PeerLost(1, 0)));
            other.pause(1);
            assertThat(TestCluster.failure(futures.get(1))).isInstanceOf(WorldChangedException.class);
        }
    }

    @Test
    void peerNeverJoins_throwsFromTheJoin() throws Exception {
        try (TestCluster cluster = cluster(Transport.TCP, WAITS, 2, ReplayLimits.OFF)) {
            PeerTable table = TestCluster.table(7, cluster.workers);
            TestWorker worker = cluster.workers.get(0);
            Future<Collective> joining = cluster.startOne(() -> worker.join(table, 0));

            assertThat(failureAfter(worker, LIMIT, joining))
                    .isInstanceOf(CollectiveTimeoutException.class)
                    .hasMessageStartingWith("join at ")
                    .hasMessageContaining("for ranks [1] of round 7");
        }
    }

    @Test
    void replacementNeverJoins_throwsFromTheCallThatWaitsForIt() throws Exception {
        try (TestCluster cluster = cluster(Transport.TCP, WAITS, 3, new ReplayLimits(5, 1 << 16))) {
            List<TestWorker> first = cluster.workers.subList(0, 2);
            TestWorker worker = cluster.workers.get(0);
            PeerTable table = TestCluster.table(1, first);
            CountDownLatch begun = new CountDownLatch(2);
            List<Future<Boolean>> futures = cluster.startEach(2, rank -> {
                Collective collective = first.get(rank).join(table, rank);
                collective.barrier();
                begun.countDown();
                if (rank == 0) {
                    collective.barrier();
                }
                return true;
            });
            begun.await();
            cluster.workers.get(1).close();
            await().until(() -> worker.control.reports().contains(new UpMessage.PeerLost(1, 1)));
            worker.pauseToReplace(1);
            worker.work(TestCluster.table(2, List.of(worker, cluster.workers.get(2))), 1, 0);

            assertThat(failureAfter(worker, LIMIT, futures.get(0)))
                    .isInstanceOf(CollectiveTimeoutException.class)
                    .hasMessageStartingWith("barrier() as operation 1 at ")
                    .hasMessageContaining("for ranks [1] of round 2");
        }
    }

    @Test
    void zero_waitsForEver() throws Exception {
        try (TestCluster cluster = cluster(Transport.TCP, TestWorker.WAITS, 2, ReplayLimits.OFF)) {
            CountDownLatch begun = new CountDownLatch(1);
            Future<Collective> caller = silentPeer(cluster, begun);
            TestWorker worker = cluster.workers.get(0);
            begun.await();
            worker.plane.tick(System.nanoTime() + Duration.ofDays(1).toNanos());
            worker.pause(1);
            assertThat(TestCluster.failure(caller)).isInstanceOf(WorldChangedException.class);
        }
    }

    @Test
    void environment_reportsHowLong() {
        assertThat(WaitLimits.of(Map.of())).isEqualTo(WaitLimits.STANDARD);
        assertThat(WaitLimits.of(Map.of(WorkerEnv.PEER_TIMEOUT_MS, "7", WorkerEnv.OPERATION_TIMEOUT_MS, "0")))
                .isEqualTo(new WaitLimits(Duration.ofMillis(7), Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource({
        "ELASTIC_PEER_TIMEOUT_MS, 0, 'ELASTIC_PEER_TIMEOUT_MS: 0 (expected: 1 or more)'",
        "ELASTIC_OPERATION_TIMEOUT_MS, -1, 'ELASTIC_OPERATION_TIMEOUT_MS: -1 (expected: 0 or more)'",
        "ELASTIC_OPERATION_TIMEOUT_MS, 5m, 'ELASTIC_OPERATION_TIMEOUT_MS: 5m (expected: a number)'"
    })
    void environment_wrong_isNamed(String name, String value, String message) {
        assertThatThrownBy(() -> WaitLimits.of(Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** Rank 0 waits in an allReduce that rank 1 never calls; {@code begun} when only that is left. */
    private static Future<Collective> silentPeer(TestCluster cluster, CountDownLatch begun) throws Exception {
        PeerTable table = TestCluster.table(1, cluster.workers);
        List<Future<Collective>> futures = cluster.startEach(2, rank -> {
            Collective collective = cluster.workers.get(rank).join(table, rank);
            collective.barrier();
            if (rank == 0) {
                begun.countDown();
                collective.allReduce(new double[31], ReduceOp.SUM);
            }
            return collective;
        });
        futures.get(1).get();
        return futures.get(0);
    }

    private static Throwable failureAfter(TestWorker worker, Duration time, Future<?> future) throws Exception {
        tickUntilDone(worker, time, future);
        return TestCluster.failure(future);
    }

    /** The channel thread's clock is ahead; whoever waits now or soon has waited for that long. */
    private static void tickUntilDone(TestWorker worker, Duration time, Future<?> future) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            worker.plane.tick(System.nanoTime() + time.toNanos());
            return future.isDone();
        });
    }

    private TestCluster cluster(Transport transport, WaitLimits waits, int size, ReplayLimits limits) {
        return TestCluster.of(directory, transport, waits, limits, size);
    }
}
