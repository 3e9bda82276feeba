/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.checkpoint.CheckpointRetention;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Local states by parity over changes of the world. */
@Timeout(60)
final class LocalParityTest {
    private static final CheckpointOptions PARITY =
            new CheckpointOptions(LocalRedundancy.parity(4), false, false, Optional.empty(), 1, Optional.empty());
    /** Several chunks, and pieces of chunks. */
    private static final int LENGTH = 5_000_017;

    @TempDir
    private Path directory;

    /** What a rank has after a change: lengths and digests would not be enough. */
    private record Found(Optional<byte[]> local, SortedMap<Integer, byte[]> orphans) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void nodeLost_shrinks_itsStateIsComputedAndSurvivesTheNextLossToo(int dead) throws Exception {
        try (TestCluster cluster = nodes(4)) {
            commit(cluster, cluster.workers, LENGTH);
            cluster.workers.get(dead).close();
            List<TestWorker> survivors = new ArrayList<>(cluster.workers);
            survivors.remove(dead);
            survivors.forEach(worker -> worker.pause(1));
            assertStates(cluster.run(2, survivors, LocalParityTest::find), 4, LENGTH);
            survivors.remove(0).close();
            survivors.forEach(worker -> worker.pause(2));
            assertStates(cluster.run(3, survivors, LocalParityTest::find), 4, LENGTH);
            survivors.remove(1).close();
            survivors.forEach(worker -> worker.pause(3));
            assertStates(cluster.run(4, survivors, LocalParityTest::find), 4, LENGTH);
        }
    }

    @Test
    void nodeReplacedInTheSameWorld_getsItsStateAndTheNextOneIsReplacedToo() throws Exception {
        try (TestCluster cluster = nodes(4)) {
            commit(cluster, cluster.workers, LENGTH);
            List<TestWorker> members = new ArrayList<>(cluster.workers);
            for (int dead = 0; dead < 4; dead++) {
                members.get(dead).close();
                for (TestWorker worker : members) {
                    worker.pause(dead + 1);
                }
                members.set(dead, start(cluster, 4 + dead));
                PeerTable table = TestCluster.table(dead + 2, members);
                List<Found> found = TestCluster.results(
                        cluster.startEach(4, rank -> find(members.get(rank).join(table, 1, rank))));
                assertThat(found).allMatch(each -> each.local().isPresent());
                assertStates(found, 4, LENGTH);
            }
        }
    }

    @Test
    void nodesJoinAndOneIsLost_statesAreKept() throws Exception {
        try (TestCluster cluster = nodes(3)) {
            commit(cluster, cluster.workers, LENGTH);
            cluster.workers.forEach(worker -> worker.pause(1));
            List<TestWorker> members = new ArrayList<>(cluster.workers);
            for (int number = 3; number < 6; number++) {
                members.add(start(cluster, number));
            }
            assertStates(cluster.run(2, members, LocalParityTest::find), 3, LENGTH);
            members.remove(1).close();
            members.forEach(worker -> worker.pause(2));
            assertStates(cluster.run(3, members, LocalParityTest::find), 3, LENGTH);
        }
    }

    @Test
    void twoOfASetLost_isReported() throws Exception {
        try (TestCluster cluster = nodes(4)) {
            commit(cluster, cluster.workers, LENGTH);
            cluster.workers.get(0).close();
            cluster.workers.get(2).close();
            List<TestWorker> survivors = List.of(cluster.workers.get(1), cluster.workers.get(3));
            survivors.forEach(worker -> worker.pause(1));
            assertThat(cluster.run(2, survivors, Collective::lostLocals)).containsOnly(new TreeSet<>(List.of(0, 2)));
            assertThat(survivors.get(0).control.reports())
                    .filteredOn(UpMessage.LocalStateLost.class::isInstance)
                    .containsExactly(new UpMessage.LocalStateLost(2, 1, List.of(0, 2)));
        }
    }

    @Test
    void workersOfOneNode_protectEachOther() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, 0)) {
            for (int number = 0; number < 3; number++) {
                cluster.workers.add(TestWorker.ofNode("n", checkpoints(number), PARITY));
            }
            commit(cluster, cluster.workers, LENGTH);
            cluster.workers.get(1).close();
            List<TestWorker> survivors = List.of(cluster.workers.get(0), cluster.workers.get(2));
            survivors.forEach(worker -> worker.pause(1));
            assertStates(cluster.run(2, survivors, LocalParityTest::find), 3, LENGTH);
        }
    }

    @Test
    void nodesWithDifferentNumbersOfWorkers_oneIsLost_statesAreKept() throws Exception {
        for (String lost : List.of("a", "b")) {
            try (TestCluster cluster = new TestCluster(directory.resolve(lost), 0)) {
                for (String node : List.of("a", "a", "a", "b", "c")) {
                    Path own = directory.resolve(lost).resolve("worker" + cluster.workers.size());
                    cluster.workers.add(TestWorker.ofNode(node, own, PARITY));
                }
                commit(cluster, cluster.workers, 12_345);
                List<TestWorker> survivors = new ArrayList<>(cluster.workers);
                survivors.removeIf(worker -> worker.node.orElseThrow().equals(lost));
                cluster.workers.stream()
                        .filter(worker -> !survivors.contains(worker))
                        .forEach(TestWorker::close);
                survivors.forEach(worker -> worker.pause(1));
                assertStates(cluster.run(2, survivors, LocalParityTest::find), 5, 12_345);
            }
        }
    }

    @Test
    void allWorkersNewAndTheFilesOfOneNodeAreGone_statesAreKept() throws Exception {
        try (TestCluster cluster = nodes(4)) {
            commit(cluster, cluster.workers, LENGTH);
            cluster.workers.forEach(worker -> worker.plane.awaitFiles());
        }
        delete(checkpoints(2));
        try (TestCluster restarted = nodes(4)) {
            List<Found> found = restarted.run(2, restarted.workers, LocalParityTest::find);
            assertThat(found).allMatch(each -> each.local().isPresent());
            assertStates(found, 4, LENGTH);
        }
    }

    /** The file is whole, and its block is not what it was: no rank goes on with wrong bytes. */
    @Test
    void aBlockIsWrong_theStateIsLostOnAllRanks() throws Exception {
        try (TestCluster cluster = nodes(4)) {
            commit(cluster, cluster.workers, LENGTH);
            cluster.workers.forEach(worker -> worker.plane.awaitFiles());
        }
        delete(checkpoints(2));
        changeLastByte(checkpoints(0).resolve(CheckpointRetention.STANDARD.slot(1) + ".0"));
        try (TestCluster restarted = nodes(4)) {
            List<Set<Integer>> lost = restarted.run(2, restarted.workers, collective -> {
                collective.barrier();
                assertThat(collective.loadLocal().isPresent()).isEqualTo(collective.rank() != 2);
                assertThat(collective.orphanedLocals()).isEmpty();
                return collective.lostLocals();
            });
            assertThat(lost).hasSize(4).containsOnly(Set.of(2));
        }
    }

    /** Of the contents, with a checksum that fits; the last one is the block. */
    private static void changeLastByte(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        int end = bytes.limit() - Integer.BYTES;
        bytes.put(end - 1, (byte) ~bytes.get(end - 1));
        int begin = 60 + bytes.getInt(8) + 25 * bytes.getInt(52);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), begin, end - begin);
        bytes.putInt(end, (int) crc.getValue());
        Files.write(file, bytes.array());
    }

    /** The rank that gets the state is a newcomer: what it has is not needed for it. */
    @Test
    void roundBreaksWhileAStateIsComputed_theNextRoundComputesIt() throws Exception {
        try (TestCluster cluster = nodes(4)) {
            commit(cluster, cluster.workers, LENGTH);
            cluster.workers.get(0).close();
            List<TestWorker> next = new ArrayList<>(cluster.workers.subList(1, 4));
            next.forEach(worker -> worker.pause(1));
            TestWorker newcomer = start(cluster, 4);
            next.add(newcomer);
            // The newcomer takes over the orphan, and dies when the first chunks have arrived.
            AtomicInteger fetched = new AtomicInteger();
            PeerTable table = TestCluster.table(2, next);
            List<Future<Found>> broken = cluster.startEach(4, rank -> {
                ThreadListener.set((instant, ofRank, version, seq) -> {
                    if (rank == 3 && instant == FaultInjector.Instant.FETCHING && fetched.incrementAndGet() == 3) {
                        throw new IllegalStateException("died");
                    }
                });
                try {
                    return find(next.get(rank).join(table, rank, 2, 0));
                } finally {
                    ThreadListener.clear();
                }
            });
            TestCluster.failure(broken.get(3));
            next.remove(3).close();
            for (TestWorker survivor : next) {
                survivor.pause(2);
            }
            for (Future<Found> each : broken) {
                TestCluster.failure(each);
            }
            assertThat(fetched).hasValueGreaterThanOrEqualTo(3);
            assertStates(cluster.run(3, next, LocalParityTest::find), 4, LENGTH);
        }
    }

    @Test
    void versionsFollowEachOther_lengthsChange_theNewestIsKept() throws Exception {
        try (TestCluster cluster = nodes(4)) {
            long round = 0;
            for (int length : List.of(0, 10, 3_000_000, 7)) {
                long current = ++round;
                cluster.run(current, cluster.workers, collective -> {
                    collective.checkpoint(new byte[1], state(collective.rank(), length));
                    collective.barrier();
                    return true;
                });
                cluster.workers.forEach(worker -> worker.pause(current));
            }
            cluster.workers.get(3).close();
            List<TestWorker> survivors = cluster.workers.subList(0, 3);
            assertStates(cluster.run(5, survivors, LocalParityTest::find), 4, 7);
        }
    }

    @Test
    void files_areAThirdLongerThanTheState() throws Exception {
        try (TestCluster cluster = nodes(4)) {
            cluster.run(1, cluster.workers, collective -> {
                collective.checkpoint(new byte[1], new byte[3_000_000]);
                return true;
            });
            cluster.workers.forEach(worker -> worker.plane.awaitFiles());
        }
        String slot = CheckpointRetention.STANDARD.slot(1);
        for (int rank = 0; rank < 4; rank++) {
            assertThat(Files.size(checkpoints(rank).resolve(slot + ".0"))).isBetween(4_000_000L, 4_001_000L);
        }
    }

    private TestCluster nodes(int count) {
        TestCluster cluster = new TestCluster(directory, 0);
        for (int number = 0; number < count; number++) {
            start(cluster, number);
        }
        return cluster;
    }

    private TestWorker start(TestCluster cluster, int number) {
        TestWorker worker = TestWorker.ofNode("node" + number, checkpoints(number), PARITY);
        cluster.workers.add(worker);
        return worker;
    }

    private Path checkpoints(int worker) {
        return directory.resolve("worker" + worker);
    }

    private static void commit(TestCluster cluster, List<TestWorker> members, int length) throws Exception {
        cluster.run(1, members, collective -> {
            collective.checkpoint(new byte[1], state(collective.rank(), length));
            collective.barrier();
            return true;
        });
        await().until(() -> members.stream().allMatch(worker -> worker.plane.version() == 1));
    }

    private static Found find(Collective collective) {
        collective.barrier();
        assertThat(collective.lostLocals()).isEmpty();
        return new Found(collective.loadLocal(), new TreeMap<>(collective.orphanedLocals()));
    }

    /** Every state is with one rank, and is what it was. */
    private static void assertStates(List<Found> found, int owners, int length) {
        TreeMap<Integer, Integer> seen = new TreeMap<>();
        for (Found each : found) {
            each.local().ifPresent(local -> seen.merge(owner(local, owners, length), 1, Integer::sum));
            each.orphans().forEach((owner, state) -> {
                assertThat(Arrays.equals(state, state(owner, length))).isTrue();
                seen.merge(owner, 1, Integer::sum);
            });
        }
        assertThat(seen.keySet()).hasSize(owners);
        assertThat(seen.values()).containsOnly(1);
    }

    private static int owner(byte[] local, int owners, int length) {
        for (int rank = 0; rank < owners; rank++) {
            if (Arrays.equals(local, state(rank, length))) {
                return rank;
            }
        }
        throw new AssertionError("not a state of any rank");
    }

    /** Of unequal length, that of rank 1 is short. */
    private static byte[] state(int rank, int length) {
        byte[] state = new byte[rank == 1 ? 3 : length + rank];
        new Random(rank + 100L * length).nextBytes(state);
        return state;
    }

    private static void delete(Path tree) {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
