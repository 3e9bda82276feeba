/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations that are done once in the life of a run, seen from worlds that change. */
@Timeout(60)
final class BootstrapTest {
    private static final int MANY = 1000;

    @TempDir
    private Path directory;

    @Test
    void calledAgain_returnsTheFirstResultWithoutTheOthers() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            cluster.run(1, cluster.workers, collective -> sum(collective, "a", BootstrapScope.JOB));
            cluster.workers.forEach(worker -> worker.pause(1));
            List<Long> again = cluster.run(2, cluster.workers, collective -> {
                long known = collective.rank() == 0 ? sum(collective, "a", BootstrapScope.JOB) : 3;
                collective.barrier();
                return known;
            });
            assertThat(again).containsOnly(3L);
        }
    }

    @Test
    void newcomer_hasAllOfTheJob_andNothingOfTheOldMembership() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            cluster.run(1, cluster.workers, collective -> {
                sum(collective, "job", BootstrapScope.JOB);
                return sum(collective, "members", BootstrapScope.MEMBERSHIP);
            });
            cluster.workers.forEach(worker -> worker.pause(1));
            cluster.start();
            List<String> sums = cluster.run(
                    2,
                    cluster.workers,
                    collective -> sum(collective, "job", BootstrapScope.JOB) + "/"
                            + sum(collective, "members", BootstrapScope.MEMBERSHIP));
            assertThat(sums).containsOnly("3/6");
        }
    }

    @Test
    void oneCallSite_countsItsCalls() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            cluster.run(1, cluster.workers, BootstrapTest::manyFromOnePlace);
            cluster.workers.forEach(worker -> worker.pause(1));
            List<TestWorker> next = List.of(cluster.start(), cluster.workers.get(0), cluster.start());
            List<Long> sums = cluster.run(2, next, BootstrapTest::manyFromOnePlace);
            assertThat(sums).as("of ranks 0 and 1").containsOnly((long) MANY * (MANY - 1) + MANY);
        }
    }

    @Test
    void prepare_isNotCalledForAKnownResult() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            AtomicInteger calls = new AtomicInteger();
            for (int round = 1; round <= 2; round++) {
                cluster.run(round, cluster.workers, collective -> {
                    int[] values = new int[1];
                    collective.bootstrapAllReduce(
                            "a", BootstrapScope.JOB, values, ReduceOp.SUM, calls::incrementAndGet);
                    return values[0];
                });
                int closed = round;
                cluster.workers.forEach(worker -> worker.pause(closed));
            }
            assertThat(calls).hasValue(2);
        }
    }

    @Test
    void sameKeyTwice_namesBothPlaces() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1)) {
            Future<Long> future = cluster.start(1, cluster.workers, collective -> {
                        sum(collective, "a", BootstrapScope.JOB);
                        return sum(collective, "a", BootstrapScope.JOB);
                    })
                    .get(0);
            assertThat(TestCluster.failure(future))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("key \"a\" was used twice")
                    .hasMessageContaining("BootstrapTest.sum:");
        }
    }

    @Test
    void otherScope_isAMismatchThatNamesBoth() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            for (Future<Long> future : cluster.start(
                    1,
                    cluster.workers,
                    collective -> sum(
                            collective,
                            "a",
                            collective.rank() == 0 ? BootstrapScope.JOB : BootstrapScope.MEMBERSHIP))) {
                assertThat(TestCluster.failure(future))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("called bootstrap allReduce(long[1], SUM) of scope JOB")
                        .hasMessageContaining("called bootstrap allReduce(long[1], SUM) of scope MEMBERSHIP");
            }
        }
    }

    @Test
    void otherKey_isAMismatchThatNamesBoth() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            for (Future<Long> future : cluster.start(
                    1, cluster.workers, collective -> sum(collective, "k" + collective.rank(), BootstrapScope.JOB))) {
                assertThat(TestCluster.failure(future))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("rank 0 at " + BootstrapTest.class.getName() + ".sum:")
                        .hasMessageContaining("(key \"k0\")")
                        .hasMessageContaining("(key \"k1\")");
            }
        }
    }

    @Test
    @SuppressWarnings("NullAway")
    void key_emptyOrNoneOrTooLong_isRefusedAtTheCall() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1)) {
            cluster.run(1, cluster.workers, collective -> {
                assertThatThrownBy(() -> sum(collective, "", BootstrapScope.JOB))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("key: of 0 characters (expected: 1 to 4096)");
                assertThatThrownBy(() -> sum(collective, "k".repeat(4097), BootstrapScope.JOB))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> sum(collective, null, BootstrapScope.JOB))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage("key");
                assertThatThrownBy(() -> sum(collective, "a", null))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage("scope");
                return sum(collective, "a", BootstrapScope.JOB);
            });
        }
    }

    @Test
    void otherSizeThanTheResult_namesBothPlaces() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 1)) {
            cluster.run(1, cluster.workers, collective -> sum(collective, "a", BootstrapScope.JOB));
            cluster.workers.get(0).pause(1);
            Future<Boolean> future = cluster.start(2, cluster.workers, collective -> {
                        collective.bootstrapBroadcast("a", BootstrapScope.JOB, new long[2], 0);
                        return true;
                    })
                    .get(0);
            assertThat(TestCluster.failure(future))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("broadcast(long[2], root 0)")
                    .hasMessageContaining("allReduce(long[1], SUM)")
                    .hasMessageContaining("BootstrapTest.sum:")
                    .hasMessageContaining("BootstrapTest.lambda");
        }
    }

    @Test
    void differentResultsOfTwoHistories_areRefusedByAllRanks() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            for (int i = 0; i < 2; i++) {
                long value = i;
                cluster.run(1, cluster.workers.subList(i, i + 1), collective -> {
                    long[] values = {value};
                    collective.bootstrapBroadcast("a", BootstrapScope.JOB, values, 0);
                    return true;
                });
                cluster.workers.get(i).pause(1);
            }
            for (Future<Integer> future : cluster.start(2, cluster.workers, Collective::worldSize)) {
                assertThat(TestCluster.failure(future))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("ranks 0 and 1 have different results")
                        .hasMessageContaining("key \"a\"")
                        .hasMessageContaining("BootstrapTest.");
            }
        }
    }

    private static long manyFromOnePlace(Collective collective) {
        long total = 0;
        for (int i = 0; i < MANY; i++) {
            long[] values = {i + collective.rank()};
            collective.bootstrapAllReduce(values, ReduceOp.SUM);
            total += values[0];
        }
        return total;
    }

    private static long sum(Collective collective, String key, BootstrapScope scope) {
        long[] values = {collective.rank() + 1L};
        collective.bootstrapAllReduce(key, scope, values, ReduceOp.SUM, () -> {});
        return values[0];
    }
}
