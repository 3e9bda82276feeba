/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.StreamedSnapshot;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.contract.ContentName;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Local states that are written and read as streams, over changes of the world. Each worker is on a node of its own. */
@Timeout(60)
final class StreamedLocalTest {
    /** Several chunks, and pieces of chunks. */
    private static final long LENGTH = 3_300_017;
    /** What the state begins with. */
    private static final int NUMBER = Long.BYTES;

    private static final int CHUNK = 1 << 20;
    private static final int PIECE = 1 << 18;

    @TempDir
    private Path directory;

    /** How local states survive. */
    private enum Kept {
        COPIES,
        PARITY;

        CheckpointOptions options() {
            return StreamedLocalTest.options(this == COPIES ? LocalRedundancy.copies(1) : LocalRedundancy.parity(4));
        }
    }

    static Stream<Arguments> sizes() {
        return Stream.of(Kept.values()).flatMap(kept -> Stream.of(
                        0, 1, PIECE - NUMBER, PIECE - NUMBER + 1, CHUNK - NUMBER - 1, CHUNK - NUMBER, 3 * CHUNK)
                .map(size -> Arguments.of(kept, size)));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void nodeLost_itsStateIsWithASurvivor(Kept kept, int size) throws Exception {
        try (TestCluster cluster = nodes(4, kept.options())) {
            LongUnaryOperator lengths = owner -> size;
            commit(cluster, cluster.workers, 1, lengths);
            cluster.workers.get(1).close();
            List<TestWorker> survivors = new ArrayList<>(cluster.workers);
            survivors.remove(1);
            survivors.forEach(worker -> worker.pause(1));
            assertStates(cluster.run(2, survivors, collective -> find(collective, lengths)), 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void statesWithoutAByte_areThere(Kept kept) throws Exception {
        try (TestCluster cluster = nodes(3, kept.options())) {
            cluster.run(1, cluster.workers, collective -> {
                collective.checkpoint(new byte[1], new Empty());
                collective.barrier();
                return true;
            });
            cluster.workers.get(0).close();
            List<TestWorker> survivors = cluster.workers.subList(1, 3);
            survivors.forEach(worker -> worker.pause(1));
            List<Integer> found = cluster.run(2, survivors, collective -> {
                assertThat(collective.loadLocal(new Empty())).isTrue();
                collective.orphanedRanks().forEach(rank -> collective.loadOrphanedLocal(rank, new Empty()));
                return collective.orphanedRanks().size();
            });
            assertThat(found).containsExactlyInAnyOrder(0, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nodesLostInTurn_noStateIsLost(Kept kept) throws Exception {
        try (TestCluster cluster = nodes(4, kept.options())) {
            commit(cluster, cluster.workers, 1, StreamedLocalTest::length);
            List<TestWorker> survivors = new ArrayList<>(cluster.workers);
            for (int round = 2; round < 5; round++) {
                survivors.remove(round % 2).close();
                for (TestWorker worker : survivors) {
                    worker.pause(round - 1);
                }
                assertStates(cluster.run(round, survivors, StreamedLocalTest::find), 4);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void nodeReplacedInTheSameWorld_getsItsState(Kept kept) throws Exception {
        try (TestCluster cluster = nodes(4, kept.options())) {
            commit(cluster, cluster.workers, 1, StreamedLocalTest::length);
            List<TestWorker> members = new ArrayList<>(cluster.workers);
            for (int dead = 0; dead < 4; dead++) {
                members.get(dead).close();
                for (TestWorker worker : members) {
                    worker.pause(dead + 1);
                }
                members.set(dead, start(cluster, 4 + dead, kept.options()));
                PeerTable table = TestCluster.table(dead + 2, members);
                List<List<Long>> found = TestCluster.results(
                        cluster.startEach(4, rank -> find(members.get(rank).join(table, 1, rank))));
                assertThat(found).containsExactly(List.of(0L), List.of(1L), List.of(2L), List.of(3L));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void allWorkersNewAndTheFilesOfOneNodeAreGone_statesAreKept(Kept kept) throws Exception {
        try (TestCluster cluster = nodes(4, kept.options())) {
            commit(cluster, cluster.workers, 3, StreamedLocalTest::length);
            cluster.workers.forEach(worker -> worker.plane.awaitFiles());
        }
        for (Path file : contents(2)) {
            Files.delete(file);
        }
        Files.delete(checkpoints(2).resolve("1"));
        Files.delete(checkpoints(2).resolve("1.0"));
        assertAllAreFoundAgain(kept);
    }

    @ParameterizedTest
    @EnumSource
    void contentsOfANodeAreDamaged_statesComeFromTheOthers(Kept kept) throws Exception {
        try (TestCluster cluster = nodes(4, kept.options())) {
            commit(cluster, cluster.workers, 1, StreamedLocalTest::length);
            cluster.workers.forEach(worker -> worker.plane.awaitFiles());
        }
        for (Path file : contents(3)) {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 1;
            Files.write(file, bytes);
        }
        assertAllAreFoundAgain(kept);
    }

    @ParameterizedTest
    @EnumSource
    void manyVersions_filesAreThoseOfTwo(Kept kept) throws Exception {
        try (TestCluster cluster = nodes(4, kept.options())) {
            commit(cluster, cluster.workers, 7, StreamedLocalTest::length);
            cluster.workers.forEach(worker -> worker.plane.awaitFiles());
            for (int number = 0; number < 4; number++) {
                assertThat(contents(number))
                        .as("a state and what protects another one, twice")
                        .hasSize(4);
            }
        }
        try (TestCluster restarted = nodes(4, kept.options())) {
            restarted.run(2, restarted.workers, collective -> commitMore(collective, 5));
            for (int number = 0; number < 4; number++) {
                assertThat(contents(number))
                        .as("those of the processes before are removed")
                        .hasSize(4);
            }
        }
    }

    @Test
    void holderDiesWhileItSends_anotherSendsTheRest() throws Exception {
        CheckpointOptions options = options(LocalRedundancy.copies(2));
        try (TestCluster cluster = nodes(3, options)) {
            LongUnaryOperator lengths = owner -> 12L * CHUNK;
            commit(cluster, cluster.workers, 1, lengths);
            List<TestWorker> members = new ArrayList<>(cluster.workers);
            members.get(0).close();
            members.forEach(worker -> worker.pause(1));
            members.set(0, start(cluster, 3, options));
            AtomicInteger served = new AtomicInteger();
            List<Future<List<Long>>> broken = cluster.startEach(3, rank -> {
                ThreadListener.set((instant, ofRank, version, seq) -> {
                    if (rank == 1 && instant == FaultInjector.Instant.SERVING && served.incrementAndGet() == 6) {
                        throw new IllegalStateException("died");
                    }
                });
                try {
                    return find(members.get(rank).join(TestCluster.table(2, members), 1, rank), lengths);
                } finally {
                    ThreadListener.clear();
                }
            });
            TestCluster.failure(broken.get(1));
            members.get(1).close();
            members.forEach(worker -> worker.pause(2));
            for (Future<List<Long>> each : broken) {
                TestCluster.failure(each);
            }
            assertThat(served).hasValueGreaterThanOrEqualTo(6);
            members.set(1, start(cluster, 4, options));
            PeerTable table = TestCluster.table(3, members);
            assertThat(TestCluster.results(
                            cluster.startEach(3, rank -> find(members.get(rank).join(table, 1, rank), lengths))))
                    .containsExactly(List.of(0L), List.of(1L), List.of(2L));
        }
    }

    @ParameterizedTest
    @EnumSource
    void nodeDiesWhileAVersionIsSent_allGoBackToTheOneBefore(Kept kept) throws Exception {
        try (TestCluster cluster = nodes(4, kept.options())) {
            commit(cluster, cluster.workers, 1, StreamedLocalTest::length);
            cluster.workers.forEach(worker -> worker.pause(1));
            AtomicInteger served = new AtomicInteger();
            PeerTable table = TestCluster.table(2, cluster.workers);
            List<Future<Boolean>> broken = cluster.startEach(4, rank -> {
                ThreadListener.set((instant, ofRank, version, seq) -> {
                    boolean isLast = instant == FaultInjector.Instant.SERVING && version == 2;
                    if (rank == 2 && isLast && served.incrementAndGet() == 2) {
                        throw new IllegalStateException("died");
                    }
                });
                try {
                    return commitMore(cluster.workers.get(rank).join(table, rank), 1);
                } finally {
                    ThreadListener.clear();
                }
            });
            TestCluster.failure(broken.get(2));
            List<TestWorker> survivors = new ArrayList<>(cluster.workers);
            survivors.remove(2).close();
            survivors.forEach(worker -> worker.pause(2));
            for (Future<Boolean> each : broken) {
                TestCluster.failure(each);
            }
            assertStates(
                    cluster.run(3, survivors, collective -> {
                        assertThat(collective.version()).isEqualTo(1);
                        return find(collective);
                    }),
                    4);
        }
    }

    @Test
    void formsMayChange_arraysAndStreamsAreReadAsEither() throws Exception {
        try (TestCluster cluster = nodes(3, options(LocalRedundancy.copies(1)))) {
            cluster.run(1, cluster.workers, collective -> {
                int rank = collective.rank();
                assertThat(collective.loadLocal(new Failing())).isFalse();
                collective.checkpoint(new byte[1], local(rank));
                byte[] whole = collective.loadLocal().orElseThrow();
                assertThat(whole).hasSize((int) length(rank) + NUMBER);
                collective.checkpoint(local(7), whole);
                assertThat(find(collective)).containsExactly((long) rank);
                collective.checkpoint(local(7), local(rank));
                collective.checkpoint(new byte[1], new byte[] {(byte) rank});
                assertThat(collective.loadLocal()).hasValue(new byte[] {(byte) rank});
                collective.checkpoint(local(7), local(rank));
                return find(collective);
            });
            cluster.workers.get(0).close();
            List<TestWorker> survivors = cluster.workers.subList(1, 3);
            survivors.forEach(worker -> worker.pause(1));
            assertStates(cluster.run(2, survivors, StreamedLocalTest::find), 3);
        }
    }

    @Test
    void anotherForm_isAMismatch() throws Exception {
        try (TestCluster cluster = nodes(2, CheckpointOptions.STANDARD)) {
            List<Future<Boolean>> futures = cluster.start(1, cluster.workers, collective -> {
                if (collective.rank() == 0) {
                    collective.checkpoint(new byte[1], local(0));
                } else {
                    collective.checkpoint(new byte[1], new byte[1]);
                }
                return true;
            });
            assertThat(TestCluster.failure(futures.get(0)))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("checkpoint with a streamed local(version 1)")
                    .hasMessageContaining("checkpoint with local(version 1)");
        }
    }

    @Test
    void stateFails_nothingOfItStays() throws Exception {
        try (TestCluster cluster = nodes(1, CheckpointOptions.STANDARD)) {
            Future<Boolean> failed = cluster.start(1, cluster.workers, collective -> {
                        collective.checkpoint(new byte[1], new Failing());
                        return true;
                    })
                    .get(0);
            assertThat(TestCluster.failure(failed))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot keep the local state of version 1: power is gone");
            assertThat(contents(0)).isEmpty();
        }
    }

    @Test
    void noPlace_isNamed() throws Exception {
        Path full = Files.writeString(directory.resolve("full"), "no directory can be made of it");
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            cluster.workers.add(new TestWorker(full));
            Future<Boolean> failed = cluster.start(1, cluster.workers, collective -> commitMore(collective, 1))
                    .get(0);
            assertThat(TestCluster.failure(failed))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot keep the local state of version 1: no room")
                    .hasMessageContaining(full.toString());
        }
    }

    @Test
    void durableCopies_areReadByANewRunAndKeptByItsNodes() throws Exception {
        CheckpointOptions options = new CheckpointOptions(
                LocalRedundancy.copies(1),
                false,
                false,
                Optional.of(directory.resolve("durable")),
                1,
                Optional.empty());
        try (TestCluster cluster = nodes(2, options)) {
            commit(cluster, cluster.workers, 2, StreamedLocalTest::length);
            cluster.workers.forEach(worker -> worker.plane.awaitFiles());
        }
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            start(cluster, 2, options);
            start(cluster, 3, options);
            assertThat(cluster.run(2, cluster.workers, StreamedLocalTest::find))
                    .containsExactly(List.of(0L), List.of(1L));
            assertThat(contents(2)).hasSize(1);
        }
    }

    @Test
    void orphan_ofARankThatIsNone_isRefused() throws Exception {
        try (TestCluster cluster = nodes(1, CheckpointOptions.STANDARD)) {
            cluster.run(1, cluster.workers, collective -> {
                commitMore(collective, 1);
                assertThatThrownBy(() -> collective.loadOrphanedLocal(0, local(0)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("rank: 0 (expected: one of the orphaned ranks [])");
                return true;
            });
        }
    }

    /** In workers that have started anew on the files of four nodes. */
    private void assertAllAreFoundAgain(Kept kept) throws Exception {
        try (TestCluster restarted = nodes(4, kept.options())) {
            assertThat(restarted.run(2, restarted.workers, StreamedLocalTest::find))
                    .containsExactly(List.of(0L), List.of(1L), List.of(2L), List.of(3L));
        }
    }

    private TestCluster nodes(int count, CheckpointOptions options) {
        TestCluster cluster = new TestCluster(directory, 0);
        for (int number = 0; number < count; number++) {
            start(cluster, number, options);
        }
        return cluster;
    }

    private TestWorker start(TestCluster cluster, int number, CheckpointOptions options) {
        TestWorker worker = TestWorker.ofNode("node" + number, checkpoints(number), options);
        cluster.workers.add(worker);
        return worker;
    }

    private Path checkpoints(int worker) {
        return directory.resolve("worker" + worker);
    }

    private List<Path> contents(int worker) throws IOException {
        try (Stream<Path> all = Files.list(checkpoints(worker))) {
            return all.filter(file ->
                            ContentName.parse(file.getFileName().toString()).isPresent())
                    .toList();
        }
    }

    private static CheckpointOptions options(LocalRedundancy redundancy) {
        return new CheckpointOptions(redundancy, false, false, Optional.empty(), 1, Optional.empty());
    }

    private static void commit(TestCluster cluster, List<TestWorker> members, int versions, LongUnaryOperator lengths)
            throws Exception {
        cluster.run(1, members, collective -> commitMore(collective, versions, lengths));
        await().until(() -> members.stream().allMatch(worker -> worker.plane.version() == versions));
    }

    private static boolean commitMore(Collective collective, int versions) {
        return commitMore(collective, versions, StreamedLocalTest::length);
    }

    private static boolean commitMore(Collective collective, int versions, LongUnaryOperator lengths) {
        for (int i = 0; i < versions; i++) {
            collective.checkpoint(new byte[] {(byte) i}, new PatternState(lengths).number(collective.rank()));
        }
        collective.barrier();
        return true;
    }

    private static List<Long> find(Collective collective) {
        return find(collective, StreamedLocalTest::length);
    }

    /** The ranks whose states this one has, of which all bytes are what they were. */
    private static List<Long> find(Collective collective, LongUnaryOperator lengths) {
        collective.barrier();
        assertThat(collective.lostLocals()).isEmpty();
        List<Long> found = new ArrayList<>();
        PatternState state = new PatternState(lengths);
        if (collective.loadLocal(state)) {
            found.add(state.number());
        }
        for (int rank : collective.orphanedRanks()) {
            collective.loadOrphanedLocal(rank, state);
            assertThat(state.number()).isEqualTo(rank);
            found.add(state.number());
        }
        return found;
    }

    private static void assertStates(List<List<Long>> found, int owners) {
        assertThat(found.stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, owners).mapToObj(Long::valueOf).toList());
    }

    private static PatternState local(int rank) {
        return new PatternState(StreamedLocalTest::length).number(rank);
    }

    /** Unequal, that of rank 1 is short. */
    private static long length(long rank) {
        return rank == 1 ? 3 : LENGTH + 1000 * rank;
    }

    /** Nothing. */
    private static final class Empty implements StreamedSnapshot {
        @Override
        public void save(WritableByteChannel to) {}

        @Override
        public void restore(ReadableByteChannel from) throws IOException {
            assertThat(from.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
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
