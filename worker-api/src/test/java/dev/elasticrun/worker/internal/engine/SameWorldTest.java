/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker is replaced and the world stays: the others' calls go on, and the newcomer catches up from their logs. */
@Timeout(60)
@Tag("once")
final class SameWorldTest {
    private static final long WORLD = 1;
    private static final ReplayLimits LIMITS = new ReplayLimits(5, 1 << 20);

    @TempDir
    private Path directory;

    /** Two versions of six operations each, one of every kind; the sum of all that was seen. */
    private static List<Object> program(Collective collective, Dying dying) {
        List<Object> seen = new ArrayList<>();
        int start = collective
                .loadCheckpoint()
                .map(state -> ByteBuffer.wrap(state).getInt())
                .orElse(0);
        for (int step = start; step < 3; step++) {
            int rank = collective.rank();
            int size = collective.worldSize();
            dying.at(collective, step, 0);
            double[] sum = {rank + step, 1};
            collective.allReduce(sum, ReduceOp.SUM);
            seen.add(sum[0] + ":" + sum[1]);
            dying.at(collective, step, 1);
            long[] root = {rank * 100L + step};
            collective.broadcast(root, size - 1);
            seen.add(root[0]);
            dying.at(collective, step, 2);
            seen.add(collective.allGather(new byte[rank + step]).stream()
                    .map(part -> part.length)
                    .toList());
            dying.at(collective, step, 3);
            int[] part = new int[2];
            int[] whole = new int[2 * size];
            java.util.Arrays.fill(whole, rank + 1);
            collective.reduceScatter(whole, part, ReduceOp.MAX);
            seen.add(part[0] + part[1]);
            collective.barrier();
            dying.at(collective, step, 4);
            collective.checkpoint(ByteBuffer.allocate(4).putInt(step + 1).array());
        }
        dying.at(collective, 3, 0);
        return seen;
    }

    private interface Dying {
        void at(Collective collective, int step, int place);
    }

    private static final class Death extends RuntimeException {}

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0", "0, 0, 1", "0, 1, 2", "0, 1, 3", "0, 2, 4", "1, 0, 0", "1, 1, 4", "1, 2, 2", "2, 0, 1", "2, 1, 1",
        "2, 1, 3", "2, 2, 0", "2, 0, 4", "1, 3, 0"
    })
    void anyRankDiesAnywhere_survivorsSeeNothing(int victim, int step, int place) throws Exception {
        List<List<Object>> undisturbed;
        try (Replacing cluster = new Replacing(directory.resolve("a"), 3)) {
            undisturbed = cluster.play((collective, atStep, atPlace) -> {}, 0);
        }
        try (Replacing cluster = new Replacing(directory.resolve("b"), 3)) {
            AtomicInteger deaths = new AtomicInteger();
            List<List<Object>> results = cluster.play(
                    (collective, atStep, atPlace) -> {
                        if (collective.rank() == victim
                                && atStep == step
                                && atPlace == place
                                && deaths.getAndIncrement() == 0) {
                            throw new Death();
                        }
                    },
                    1);
            for (int rank = 0; rank < 3; rank++) {
                List<Object> expected = undisturbed.get(rank);
                if (rank == victim) {
                    int seen = results.get(rank).size();
                    expected = expected.subList(expected.size() - seen, expected.size());
                }
                assertThat(results.get(rank)).as("rank " + rank).isEqualTo(expected);
            }
        }
    }

    /** Kills each rank once, at the next instant of that kind in that version. */
    @ParameterizedTest
    @CsvSource({
        "OPERATION, 0",
        "OPERATION, 2",
        "STAGED, 0",
        "STAGED, 1",
        "STAGED, 3",
        "AGREED, 0",
        "AGREED, 2",
        "AGREED, 3"
    })
    void localAndLazyStates_replacedRank_getsItsOwnBack(FaultInjector.Instant instant, long version) throws Exception {
        for (boolean isLazy : new boolean[] {false, true}) {
            for (int victim = 0; victim < 3; victim++) {
                int dying = victim;
                AtomicInteger deaths = new AtomicInteger();
                try (Replacing cluster = new Replacing(directory.resolve(isLazy + "" + victim), 3)) {
                    List<Integer> results = cluster.run(
                            collective -> {
                                ThreadListener.set((at, rank, ofVersion, seq) -> {
                                    boolean isTime = at == instant && rank == dying && ofVersion == version;
                                    if (isTime && deaths.getAndIncrement() == 0) {
                                        throw new Death();
                                    }
                                });
                                return isLazy ? lazily(collective) : withLocals(collective);
                            },
                            1);
                    assertThat(results).as("%s %d %d", isLazy, victim, version).containsOnly(4);
                    assertThat(deaths.get()).isPositive();
                }
            }
        }
    }

    /** Four versions; each local state contains its rank and version. */
    private static int withLocals(Collective collective) {
        int start = state(collective);
        byte rank = (byte) collective.rank();
        for (int step = start; step < 4; step++) {
            if (step > 0) {
                assertThat(collective.loadLocal()).contains(new byte[] {rank, (byte) step});
            }
            assertThat(collective.orphanedLocals()).isEmpty();
            collective.allReduce(new long[] {step}, ReduceOp.SUM);
            collective.checkpoint(
                    ByteBuffer.allocate(4).putInt(step + 1).array(), new byte[] {rank, (byte) (step + 1)});
        }
        assertThat(collective.loadLocal()).contains(new byte[] {rank, 4});
        return state(collective);
    }

    private static int lazily(Collective collective) {
        int[] state = {state(collective)};
        while (state[0] < 4) {
            collective.allReduce(new long[] {state[0]}, ReduceOp.SUM);
            state[0]++;
            collective.lazyCheckpoint(
                    () -> ByteBuffer.allocate(4).putInt(state[0]).array());
        }
        return state(collective);
    }

    private static int state(Collective collective) {
        return collective
                .loadCheckpoint()
                .map(state -> ByteBuffer.wrap(state).getInt())
                .orElse(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10})
    void severalDieAtOnce_andAgainWhileTheyRecover(int size) throws Exception {
        try (Replacing cluster = new Replacing(directory.resolve("a"), size)) {
            Set<String> done = ConcurrentHashMap.newKeySet();
            List<List<Object>> results = cluster.play(
                    (collective, step, place) -> {
                        int rank = collective.rank();
                        boolean dies = (step == 1 && place == 1 && rank != 0 && rank % 2 == 1)
                                || (step == 1 && place == 3 && rank == 0)
                                || (step == 1 && place == 0 && rank == 1 && done.contains("1/1/1"))
                                || (step == 2 && place == 2 && rank == size - 1);
                        if (dies && done.add(rank + "/" + step + "/" + place)) {
                            throw new Death();
                        }
                    },
                    20);
            for (int rank = 0; rank < size; rank++) {
                List<Object> result = results.get(rank);
                assertThat(result.subList(result.size() - 3, result.size() - 1))
                        .isEqualTo(results.get(0)
                                .subList(
                                        results.get(0).size() - 3,
                                        results.get(0).size() - 1));
            }
        }
    }

    @Test
    void prepare_isCalledOnlyWhereTheResultIsNotRecovered_andOnce() throws Exception {
        try (Replacing cluster = new Replacing(directory.resolve("a"), 2)) {
            AtomicInteger[] calls = {new AtomicInteger(), new AtomicInteger()};
            AtomicInteger deaths = new AtomicInteger();
            List<Long> sums = cluster.run(
                    collective -> {
                        long total = 0;
                        for (int i = 0; i < 3; i++) {
                            if (i == 2 && collective.rank() == 1 && deaths.getAndIncrement() == 0) {
                                throw new Death();
                            }
                            long[] values = new long[2];
                            collective.allReduce(values, 0, 2, ReduceOp.SUM, () -> {
                                calls[collective.rank()].incrementAndGet();
                                values[0] = 1;
                            });
                            total += values[0];
                        }
                        return total;
                    },
                    1);
            assertThat(sums).containsExactly(6L, 6L);
            assertThat(calls[0]).hasValue(3);
            assertThat(calls[1]).as("two in its first life, one in its second").hasValue(3);
        }
    }

    @Test
    void otherCallsInTheSecondLife_areReportedWithTheirPlace() throws Exception {
        try (Replacing cluster = new Replacing(directory.resolve("a"), 2)) {
            AtomicInteger lives = new AtomicInteger();
            List<Future<Long>> futures = cluster.start(collective -> {
                int life = collective.rank() == 1 ? lives.incrementAndGet() : 1;
                collective.allReduce(new long[life], ReduceOp.SUM);
                if (collective.rank() == 1) {
                    throw new Death();
                }
                collective.barrier();
                return 0L;
            });
            cluster.replaceTheDead(futures);
            for (Future<Long> future : futures) {
                assertThat(TestCluster.failure(future))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("allReduce(long[2], SUM)")
                        .hasMessageContaining("allReduce(long[1], SUM)")
                        .hasMessageContaining("SameWorldTest");
            }
        }
    }

    @Test
    void logDoesNotReachBack_allRanksBeginAtTheCheckpoint() throws Exception {
        try (Replacing cluster = new Replacing(directory.resolve("a"), 3, new ReplayLimits(5, 100))) {
            AtomicInteger deaths = new AtomicInteger();
            AtomicInteger beginnings = new AtomicInteger();
            List<Long> sums = cluster.run(
                    collective -> {
                        beginnings.incrementAndGet();
                        long total = 0;
                        for (int i = 0; i < 5; i++) {
                            if (i == 4 && collective.rank() == 1 && deaths.getAndIncrement() == 0) {
                                throw new Death();
                            }
                            long[] values = new long[10];
                            values[0] = i;
                            collective.allReduce(values, ReduceOp.SUM);
                            total += values[0];
                        }
                        return total;
                    },
                    1);
            assertThat(sums).containsExactly(30L, 30L, 30L);
            assertThat(beginnings).as("all three, and all three again").hasValue(6);
        }
    }

    @Test
    void bootstrapResults_reachTheReplacement_andNobodyElseDoesThemAgain() throws Exception {
        try (Replacing cluster = new Replacing(directory.resolve("a"), 3)) {
            AtomicInteger prepared = new AtomicInteger();
            AtomicInteger deaths = new AtomicInteger();
            List<Long> sums = cluster.run(
                    collective -> {
                        long[] shape = new long[1];
                        collective.bootstrapAllReduce("shape", BootstrapScope.JOB, shape, ReduceOp.SUM, () -> {
                            prepared.incrementAndGet();
                            shape[0] = collective.rank() + 1L;
                        });
                        long[] seeds = new long[2];
                        for (int i = 0; i < 2; i++) {
                            int[] seed = {collective.rank() + 7 + i};
                            collective.bootstrapBroadcast(seed, 1);
                            seeds[i] = seed[0];
                        }
                        if (collective.version() == 0) {
                            collective.checkpoint(new byte[1]);
                        }
                        long[] values = {1};
                        collective.allReduce(values, ReduceOp.SUM);
                        if (collective.rank() == 2 && deaths.getAndIncrement() == 0) {
                            throw new Death();
                        }
                        collective.barrier();
                        return shape[0] * 10_000 + seeds[0] * 100 + seeds[1];
                    },
                    1);
            assertThat(sums).containsOnly(60_809L);
            assertThat(prepared).hasValue(3);
        }
    }

    @Test
    void newRound_isReportedAndSeenByTheSurvivor() throws Exception {
        try (Replacing cluster = new Replacing(directory.resolve("a"), 2)) {
            AtomicInteger deaths = new AtomicInteger();
            List<Long> rounds = cluster.run(
                    collective -> {
                        collective.barrier();
                        if (collective.rank() == 1 && deaths.getAndIncrement() == 0) {
                            throw new Death();
                        }
                        collective.barrier();
                        return collective.round();
                    },
                    1);
            assertThat(rounds).containsExactly(2L, 2L);
            assertThat(cluster.workers.get(0).control.reports())
                    .filteredOn(UpMessage.Resumed.class::isInstance)
                    .extracting(report -> ((UpMessage.Resumed) report).round())
                    .containsExactly(1L, 2L);
        }
    }

    /** Plays the agent under soft-replace: whoever dies is replaced, and all get a new round of the same world. */
    private final class Replacing implements AutoCloseable {
        final List<TestWorker> workers = new ArrayList<>();
        private final TestCluster threads;
        private final ReplayLimits limits;
        private final Path nodes;
        private TestCluster.Program<?> program = collective -> 0;
        private long round = WORLD;

        Replacing(Path nodes, int size) {
            this(nodes, size, LIMITS);
        }

        Replacing(Path nodes, int size, ReplayLimits limits) {
            this.nodes = nodes;
            this.limits = limits;
            this.threads = new TestCluster(nodes, 0);
            for (int rank = 0; rank < size; rank++) {
                workers.add(worker());
            }
        }

        List<List<Object>> play(Dying dying, int deaths) throws Exception {
            return run(collective -> program(collective, dying), deaths);
        }

        <T> List<T> run(TestCluster.Program<T> body, int deaths) throws Exception {
            List<Future<T>> futures = start(body);
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (futures.stream().anyMatch(future -> !isOver(future)) && System.nanoTime() < end) {
                await().pollInterval(Duration.ofMillis(2))
                        .until(() -> futures.stream().anyMatch(Replacing::isDead)
                                || futures.stream().allMatch(Replacing::isOver));
                if (futures.stream().anyMatch(Replacing::isDead)) {
                    replaceTheDead(futures);
                }
            }
            assertThat(round - WORLD).isLessThanOrEqualTo(deaths);
            return TestCluster.results(futures);
        }

        <T> List<Future<T>> start(TestCluster.Program<T> body) {
            program = body;
            PeerTable table = TestCluster.table(round, workers);
            return threads.startEach(workers.size(), rank -> loop(body, workers.get(rank), table, rank));
        }

        /** Waits for a death. */
        <T> void replaceTheDead(List<Future<T>> futures) {
            await().until(() -> futures.stream().anyMatch(Replacing::isDead));
            List<Integer> dead = new ArrayList<>();
            for (int rank = 0; rank < workers.size(); rank++) {
                if (isDead(futures.get(rank))) {
                    dead.add(rank);
                    workers.get(rank).close();
                    workers.set(rank, worker());
                }
            }
            for (int rank = 0; rank < workers.size(); rank++) {
                if (!dead.contains(rank)) {
                    workers.get(rank).pauseToReplace(round);
                }
            }
            round++;
            PeerTable table = TestCluster.table(round, workers);
            for (int rank = 0; rank < workers.size(); rank++) {
                if (!dead.contains(rank)) {
                    workers.get(rank).work(table, WORLD, rank);
                }
            }
            for (int rank : dead) {
                @SuppressWarnings("unchecked")
                TestCluster.Program<T> same = (TestCluster.Program<T>) program;
                futures.set(rank, threads.startOne(() -> loop(same, workers.get(rank), table, rank)));
            }
        }

        /** As a program's own loop: a change of the world begins it again. */
        private <T> T loop(TestCluster.Program<T> body, TestWorker worker, PeerTable first, int rank) throws Exception {
            PeerTable table = first;
            boolean isFirst = true;
            while (true) {
                try {
                    Collective collective = isFirst
                            ? worker.join(table, WORLD, rank)
                            : new Collective(
                                    worker.plane.join(worker.control.awaitNewerWork(0), worker.control.latestTable()));
                    T result = body.run(collective);
                    collective.close();
                    return result;
                } catch (WorldChangedException e) {
                    isFirst = false;
                }
            }
        }

        private TestWorker worker() {
            return new TestWorker(nodes.resolve("node" + System.nanoTime()), limits);
        }

        private static boolean isOver(Future<?> future) {
            return future.isDone() && !isDead(future);
        }

        private static boolean isDead(Future<?> future) {
            if (!future.isDone()) {
                return false;
            }
            try {
                future.get();
                return false;
            } catch (java.util.concurrent.ExecutionException e) {
                return e.getCause() instanceof Death;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void close() {
            workers.forEach(TestWorker::close);
            threads.close();
        }
    }
}
