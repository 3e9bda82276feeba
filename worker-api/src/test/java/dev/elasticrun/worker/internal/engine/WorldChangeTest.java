/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What workers see when peers die, rounds close and newcomers arrive. */
@Timeout(60)
final class WorldChangeTest {
    @TempDir
    private Path directory;

    /** Over shared memory: in one piece, in several. */
    @ParameterizedTest
    @CsvSource({"TCP, 31", "TCP, 50000", "SHM, 31", "SHM, 20000", "SHM, 300000"})
    void allReduce_peerDies_throwsOnlyAfterANewerEvent(Transport transport, int count) throws Exception {
        try (TestCluster cluster = cluster(transport, 3)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            double[][] values = new double[3][count];
            List<Future<Boolean>> futures = cluster.startEach(3, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                collective.barrier();
                if (rank == 2) {
                    cluster.workers.get(2).close();
                    return true;
                }
                values[rank][0] = 1;
                collective.allReduce(values[rank], ReduceOp.SUM);
                return true;
            });
            for (int rank = 0; rank < 2; rank++) {
                FakeControl control = cluster.workers.get(rank).control;
                await().until(() -> control.reports().stream().anyMatch(UpMessage.PeerLost.class::isInstance));
                assertThat(futures.get(rank)).isNotDone();
            }
            assertThat(cluster.workers.get(0).control.reports()).contains(new UpMessage.PeerLost(1, 2));
            for (int rank = 0; rank < 2; rank++) {
                cluster.workers.get(rank).pause(1);
                assertThat(TestCluster.failure(futures.get(rank))).isInstanceOf(WorldChangedException.class);
                assertThat(values[rank][0])
                        .as("the caller's buffer is untouched")
                        .isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"TCP", "SHM"})
    void pause_freesABlockedOperationWithoutBlame(Transport transport) throws Exception {
        try (TestCluster cluster = cluster(transport, 2)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            List<Future<Boolean>> futures = cluster.startEach(2, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                collective.barrier();
                if (rank == 0) {
                    collective.barrier();
                }
                return true;
            });
            assertThat(futures.get(1).get()).isTrue();
            cluster.workers.get(0).pause(1);
            assertThat(TestCluster.failure(futures.get(0)))
                    .isInstanceOfSatisfying(WorldChangedException.class, e -> assertThat(e.round())
                            .isEqualTo(1));
            assertThat(cluster.workers.get(0).control.reports()).noneMatch(UpMessage.PeerLost.class::isInstance);
        }
    }

    @Test
    void join_nobodyElseArrives_isFreedByPause() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            for (int rank = 0; rank < 2; rank++) {
                int alone = rank;
                PeerTable table = TestCluster.table(1, cluster.workers);
                TestWorker worker = cluster.workers.get(alone);
                List<Future<Collective>> futures = cluster.startEach(1, any -> worker.join(table, alone));
                await().pollDelay(Duration.ofMillis(50))
                        .until(() -> !futures.get(0).isDone());
                worker.pause(1);
                assertThat(TestCluster.failure(futures.get(0))).isInstanceOf(WorldChangedException.class);
            }
        }
    }

    @Test
    void join_sameRoundAgainAfterAPause_works() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            for (int time = 0; time < 3; time++) {
                List<Long> sums = cluster.run(7, cluster.workers, WorldChangeTest::sumOfRanks);
                assertThat(sums).containsOnly(3L);
                cluster.workers.forEach(worker -> worker.pause(7));
            }
        }
    }

    @Test
    void join_oneWorkerIsARoundAhead_isHeldUntilTheOthersFollow() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            cluster.run(1, cluster.workers, WorldChangeTest::sumOfRanks);
            PeerTable table = TestCluster.table(2, cluster.workers);
            cluster.workers.get(1).pause(1);
            List<Future<Long>> ahead = cluster.startEach(
                    1, any -> sumOfRanks(cluster.workers.get(1).join(table, 1)));
            await().pollDelay(Duration.ofMillis(50)).until(() -> !ahead.get(0).isDone());
            cluster.workers.get(0).pause(1);
            assertThat(sumOfRanks(cluster.workers.get(0).join(table, 0))).isEqualTo(1);
            assertThat(TestCluster.results(ahead)).containsOnly(1L);
        }
    }

    @Test
    void scaleDownAndUp_survivorsKeepCheckpointsAndServeThemToNewcomers() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            byte[] big = "state".repeat(100_000).getBytes(StandardCharsets.UTF_8);
            cluster.run(1, cluster.workers, collective -> {
                collective.checkpoint(bytes("first"));
                collective.checkpoint(big);
                return true;
            });
            cluster.workers.get(0).close();
            List<TestWorker> survivors = cluster.workers.subList(1, 3);
            survivors.forEach(worker -> worker.pause(1));
            assertThat(cluster.run(2, survivors, WorldChangeTest::describe)).containsOnly("2:500000");
            survivors.forEach(worker -> worker.pause(2));
            List<TestWorker> grown = List.of(survivors.get(0), survivors.get(1), cluster.start(), cluster.start());
            assertThat(cluster.run(3, grown, WorldChangeTest::describe)).containsOnly("2:500000");
        }
    }

    @Test
    void checkpoint_stagedByAllSurvivorsButNotCommitted_isAgreed() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            List<Future<Boolean>> futures = cluster.startEach(3, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                collective.checkpoint(bytes("one"));
                if (rank == 2) {
                    // Its part of the agreement never comes, so nobody can commit.
                    await().until(() -> hasStaged(cluster, 0) && hasStaged(cluster, 1));
                    cluster.workers.get(2).close();
                    return true;
                }
                collective.checkpoint(bytes("twotwo"));
                return true;
            });
            assertThat(TestCluster.results(futures.subList(2, 3))).containsOnly(true);
            List<TestWorker> survivors = cluster.workers.subList(0, 2);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(survivors.get(rank).plane.version()).isEqualTo(1);
                survivors.get(rank).pause(1);
                assertThat(TestCluster.failure(futures.get(rank))).isInstanceOf(WorldChangedException.class);
            }
            List<TestWorker> next = List.of(survivors.get(0), survivors.get(1), cluster.start());
            assertThat(cluster.run(2, next, WorldChangeTest::describe)).containsOnly("2:6");
        }
    }

    @Test
    void checkpoint_stagedByOneSurvivorOnly_isRolledBack() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            List<Future<Boolean>> futures = cluster.startEach(2, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                collective.checkpoint(bytes("one"));
                if (rank == 0) {
                    collective.checkpoint(bytes("twotwo"));
                }
                return true;
            });
            await().until(() -> hasStaged(cluster, 0) && futures.get(1).isDone());
            cluster.workers.forEach(worker -> worker.pause(1));
            assertThat(TestCluster.failure(futures.get(0))).isInstanceOf(WorldChangedException.class);
            assertThat(cluster.run(2, cluster.workers, WorldChangeTest::describe))
                    .containsOnly("1:3");
        }
    }

    @Test
    void join_allWorkersAreNew_goOnFromTheNodesFiles() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            cluster.run(1, cluster.workers, collective -> {
                collective.checkpoint(bytes("one"));
                collective.checkpoint(bytes("twotwo"));
                return true;
            });
        }
        try (TestCluster restarted = new TestCluster(directory, 3)) {
            assertThat(restarted.run(2, restarted.workers, WorldChangeTest::describe))
                    .containsOnly("2:6");
        }
    }

    @Test
    void leaseDeadlinePassed_closesTheLinksAndReportsItselfWhenBack() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            List<Future<Boolean>> futures = cluster.startEach(2, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                collective.barrier();
                if (rank == 1) {
                    collective.barrier();
                }
                return true;
            });
            TestWorker fenced = cluster.workers.get(0);
            assertThat(futures.get(0).get()).isTrue();
            fenced.control.expired(true);
            fenced.plane.tick(System.nanoTime());
            await().until(() -> cluster.workers.get(1).control.reports().contains(new UpMessage.PeerLost(1, 0)));
            assertThat(fenced.control.reports()).noneMatch(UpMessage.PeerLost.class::isInstance);
            fenced.control.expired(false);
            fenced.plane.tick(System.nanoTime());
            assertThat(fenced.control.reports()).contains(new UpMessage.PeerLost(1, 0));
            cluster.workers.get(1).pause(1);
            assertThat(TestCluster.failure(futures.get(1))).isInstanceOf(WorldChangedException.class);
        }
    }

    @Test
    void slowPeer_answersProbes_isNotLost() throws Exception {
        try (TestWorker patient = new TestWorker(
                        directory.resolve("a"), TestWorker.KEY, TestWorker.waits(Duration.ofMillis(100)));
                TestCluster cluster = new TestCluster(directory, 0)) {
            cluster.workers.add(patient);
            TestWorker slow = cluster.start();
            PeerTable table = TestCluster.table(1, cluster.workers);
            List<Future<Boolean>> futures = cluster.startEach(2, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank);
                collective.barrier();
                if (rank == 0) {
                    collective.barrier();
                }
                return true;
            });
            assertThat(futures.get(1).get()).isTrue();
            long end = System.nanoTime() + Duration.ofMillis(500).toNanos();
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                patient.plane.tick(System.nanoTime());
                return System.nanoTime() > end;
            });
            assertThat(patient.control.reports()).noneMatch(UpMessage.PeerLost.class::isInstance);
            assertThat(futures.get(0)).isNotDone();
            slow.close();
            await().until(() -> patient.control.reports().contains(new UpMessage.PeerLost(1, 1)));
        }
    }

    @Test
    void peerNeverAnswers_isLostAfterTheTimeout() throws Exception {
        try (TestWorker worker = new TestWorker(
                        directory.resolve("a"), TestWorker.KEY, TestWorker.waits(Duration.ofMillis(100)));
                TestCluster cluster = new TestCluster(directory, 0)) {
            cluster.workers.add(worker);
            TestWorker dead = cluster.start();
            PeerTable table = TestCluster.table(1, cluster.workers);
            dead.close();
            List<Future<Collective>> futures = cluster.startEach(1, rank -> worker.join(table, 0));
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                worker.plane.tick(System.nanoTime());
                return worker.control.reports().contains(new UpMessage.PeerLost(1, 1));
            });
            assertThat(futures.get(0)).isNotDone();
        }
    }

    private static boolean hasStaged(TestCluster cluster, int rank) {
        return cluster.workers.get(rank).plane.hasStaged();
    }

    private static long sumOfRanks(Collective collective) {
        long[] values = {collective.rank()};
        collective.allReduce(values, ReduceOp.SUM);
        return values[0];
    }

    /** Version and length; a barrier first, so that nobody leaves while others still arrive. */
    private static String describe(Collective collective) {
        collective.barrier();
        return collective.version() + ":" + collective.loadCheckpoint().orElseThrow().length;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private TestCluster cluster(Transport transport, int size) {
        return TestCluster.of(directory, transport, TestWorker.WAITS, ReplayLimits.OFF, size);
    }
}
