/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.StreamedSnapshot;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** States that are written and read as streams, over files and sockets. */
@Timeout(60)
final class StreamedStateTest {
    /** Several chunks, and a part of one. */
    private static final long LENGTH = (5 << 20) + 12_345;

    @TempDir
    private Path directory;

    @Test
    void newcomerOnAnotherNode_getsItChunkByChunk() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 3)) {
            cluster.run(1, cluster.workers, collective -> commit(collective, 1, 3));
            cluster.workers.forEach(worker -> worker.pause(1));
            cluster.start();
            List<Long> found = cluster.run(2, cluster.workers, StreamedStateTest::load);
            assertThat(found).containsExactly(3L, 3L, 3L, 3L);
        }
    }

    @Test
    void oneNode_hasOneFileForEachVersionThatIsKept() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            List<TestWorker> node = node(cluster, 3);
            run(cluster, 1, node, collective -> commit(collective, 1, 5));
            assertThat(files()).containsExactly("0", "1");
            assertThat(Files.size(node().resolve("1"))).isBetween(LENGTH, LENGTH + 1000);
            node.forEach(worker -> worker.pause(1));
            assertThat(run(cluster, 2, node, StreamedStateTest::load)).containsExactly(5L, 5L, 5L);
        }
    }

    @Test
    void allWorkersGone_nextOnesReadTheFilesOfTheNode() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            run(cluster, 1, node(cluster, 2), collective -> commit(collective, 1, 2));
        }
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            List<TestWorker> node = node(cluster, 2);
            assertThat(run(cluster, 2, node, StreamedStateTest::load)).containsExactly(2L, 2L);
            node.get(0).plane.awaitFiles();
            assertThat(files()).containsExactly("0", "1");
        }
    }

    @Test
    void newestFileIsDamaged_theOneBeforeIsTaken() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            run(cluster, 1, node(cluster, 1), collective -> commit(collective, 1, 2));
        }
        byte[] bytes = Files.readAllBytes(node().resolve("0"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(node().resolve("0"), bytes);
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            assertThat(run(cluster, 2, node(cluster, 1), StreamedStateTest::load))
                    .containsExactly(1L);
        }
    }

    @Test
    void firstWorkerOfTheNodeDiesWhileItWrites_itsReplacementWritesAgain() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            List<TestWorker> node = new ArrayList<>(node(cluster, 2));
            PeerTable first = TestCluster.table(1, node);
            List<Future<Long>> futures = cluster.startEach(2, rank -> {
                Collective collective = node.get(rank).join(first, rank, rank, 0);
                commit(collective, 1, 1);
                collective.checkpoint(rank == 0 ? new Failing() : new PatternState(LENGTH).number(2));
                return load(collective);
            });
            assertThat(TestCluster.failure(futures.get(0)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot keep the state of version 2: power is gone");
            assertThat(files()).as("what was not written to its end").containsExactly("1");
            node.get(0).close();
            node.forEach(worker -> worker.pause(1));
            assertThat(TestCluster.failure(futures.get(1))).isInstanceOf(WorldChangedException.class);
            node.set(0, node(cluster, 1).get(0));
            assertThat(run(cluster, 2, node, collective -> {
                        assertThat(load(collective)).isEqualTo(1);
                        return commit(collective, 2, 2);
                    }))
                    .containsExactly(2L, 2L);
            assertThat(files()).containsExactly("0", "1");
        }
    }

    @Test
    void firstWorkerOfTheNodeIsGone_anotherGivesTheFileItsName() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            List<TestWorker> node = node(cluster, 2);
            run(cluster, 1, node, collective -> commit(collective, 1, 2));
            // As if the first one had died before it could do it.
            Files.move(node().resolve("0"), node().resolve("2.1-1.staged"));
            node.forEach(worker -> worker.pause(1));
            node.get(0).close();
            assertThat(run(cluster, 2, List.of(node.get(1)), StreamedStateTest::load))
                    .containsExactly(2L);
            node.get(1).plane.awaitFiles();
            assertThat(files()).contains("0", "1");
        }
    }

    @Test
    void workersWithDirectoriesOfTheirOwn_eachKeepsIt() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            PeerTable table = TestCluster.table(1, cluster.workers);
            List<Future<Long>> futures = cluster.startEach(2, rank -> {
                Collective collective = cluster.workers.get(rank).join(table, rank, rank, 0);
                return commit(collective, 1, 3);
            });
            assertThat(TestCluster.results(futures)).containsExactly(3L, 3L);
        }
    }

    @Test
    void ranksDiffer_isAMismatch() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            List<Future<Long>> futures = cluster.start(
                    1,
                    cluster.workers,
                    collective -> commit(collective, 1 + collective.rank(), 1L + collective.rank()));
            for (Future<Long> future : futures) {
                assertThat(TestCluster.failure(future)).isInstanceOf(CollectiveMismatchException.class);
            }
        }
    }

    @Test
    void formsMayChange_arraysAndStreamsAreReadAsEither() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 2)) {
            List<Long> found = cluster.run(1, cluster.workers, collective -> {
                AtomicInteger calls = new AtomicInteger();
                assertThat(collective.loadCheckpoint(new Failing())).isFalse();
                commit(collective, 1, 1);
                byte[] whole = collective.loadCheckpoint().orElseThrow();
                assertThat(whole).hasSize((int) LENGTH + Long.BYTES);
                collective.checkpoint(whole);
                assertThat(load(collective)).isEqualTo(1);
                collective.lazyCheckpoint(() -> {
                    calls.incrementAndGet();
                    return whole;
                });
                commit(collective, 4, 4);
                assertThat(calls).as("the lazy one was not needed").hasValue(0);
                return load(collective);
            });
            assertThat(found).containsExactly(4L, 4L);
        }
    }

    @Test
    void firstPlaceIsFull_stateIsInTheSecond() throws Exception {
        Path full = Files.writeString(directory.resolve("full"), "no directory can be made of it");
        CheckpointOptions options = new CheckpointOptions(
                LocalRedundancy.copies(2), false, false, Optional.empty(), 1, Optional.of(directory.resolve("disk")));
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            TestWorker worker = new TestWorker(full, options);
            cluster.workers.add(worker);
            assertThat(cluster.run(1, cluster.workers, collective -> commit(collective, 1, 3)))
                    .containsExactly(3L);
            assertThat(directory.resolve("disk").resolve("1")).exists();
            assertThat(full).hasContent("no directory can be made of it");
        }
    }

    @Test
    void noPlace_isNamed() throws Exception {
        Path full = Files.writeString(directory.resolve("full"), "no directory can be made of it");
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            cluster.workers.add(new TestWorker(full));
            assertThat(TestCluster.failure(cluster.start(1, cluster.workers, collective -> commit(collective, 1, 1))
                            .get(0)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot keep the state of version 1: no room")
                    .hasMessageContaining(full.toString());
        }
    }

    @Test
    void durableCopies_areReadByANewRun() throws Exception {
        CheckpointOptions options = new CheckpointOptions(
                LocalRedundancy.copies(2),
                false,
                false,
                Optional.of(directory.resolve("durable")),
                1,
                Optional.empty());
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            cluster.workers.add(new TestWorker(directory.resolve("a"), options));
            cluster.run(1, cluster.workers, collective -> commit(collective, 1, 2));
        }
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            cluster.workers.add(new TestWorker(directory.resolve("b"), options));
            cluster.workers.add(new TestWorker(directory.resolve("c"), options));
            assertThat(cluster.run(2, cluster.workers, StreamedStateTest::load)).containsExactly(2L, 2L);
        }
    }

    private List<TestWorker> node(TestCluster cluster, int workers) {
        List<TestWorker> node = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            node.add(TestWorker.ofNode("one", node(), CheckpointOptions.STANDARD));
        }
        cluster.workers.addAll(node);
        return node;
    }

    private Path node() {
        return directory.resolve("one");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(node())) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Ranks of one node. */
    private static List<Long> run(
            TestCluster cluster, long round, List<TestWorker> node, TestCluster.Program<Long> program)
            throws Exception {
        PeerTable table = TestCluster.table(round, node);
        return TestCluster.results(cluster.startEach(
                node.size(), rank -> program.run(node.get(rank).join(table, rank, rank, 0))));
    }

    private static long commit(Collective collective, long first, long last) {
        PatternState state = new PatternState(LENGTH);
        for (long number = first; number <= last; number++) {
            collective.checkpoint(state.number(number));
        }
        return load(collective);
    }

    private static long load(Collective collective) {
        PatternState state = new PatternState(LENGTH);
        assertThat(collective.loadCheckpoint(state)).isTrue();
        return state.number();
    }

    /** Fails half way. */
    private static final class Failing implements StreamedSnapshot {
        @Override
        public void save(WritableByteChannel to) throws IOException {
            new PatternState(LENGTH / 2).save(to);
            throw new IOException("power is gone");
        }

        @Override
        public void restore(ReadableByteChannel from) {
            throw new IllegalStateException("there is nothing to restore");
        }
    }
}
