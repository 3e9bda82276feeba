/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.StateLostException;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.engine.TestCluster;
import dev.elasticrun.worker.internal.engine.TestWorker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints that outlive the run, and what happens when nothing does. */
@Timeout(60)
final class DurableCopiesTest {
    @TempDir
    private Path directory;

    private int starts;

    @Test
    void everyNth_isWrittenAndTheNewestStay() throws Exception {
        int kept = CheckpointRetention.STANDARD.kept();
        try (TestCluster cluster = start(3, durable(2))) {
            commit(cluster, 2 * kept + 5);
        }
        List<String> expected = new ArrayList<>();
        for (int version = 6; version <= 2 * kept + 4; version += 2) {
            for (String kind : List.of("global", "local.0", "local.1", "local.2")) {
                expected.add(String.format("%012d.%s", version, kind));
            }
        }
        assertThat(names()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void oldest_ofMoreVersionsThanStay_isTheLastThatStays(int kept) {
        CheckpointRetention retention = new CheckpointRetention(kept);
        List<Long> all = List.of(12L, 9L, 6L, 3L);
        assertThat(retention.oldest(all)).isEqualTo(all.get(kept - 1));
        assertThat(retention.oldest(all.subList(0, kept - 1))).isZero();
        assertThat(retention.slots()).hasSize(kept).doesNotHaveDuplicates().contains(retention.slot(Long.MAX_VALUE));
    }

    @Test
    void nobodyHoldsAny_newestDurableOneWins() throws Exception {
        try (TestCluster cluster = start(3, durable(2))) {
            commit(cluster, 9);
        }
        try (TestCluster again = start(2, durable(2))) {
            List<String> found = again.run(5, again.workers, DurableCopiesTest::describe);
            assertThat(found).containsExactly("8:state8:8@0:{2=8@2}", "8:state8:8@1:{}");
            again.workers.forEach(worker -> worker.pause(5));
            assertThat(again.run(6, again.workers, collective -> {
                        collective.checkpoint(bytes("next"), bytes("local"));
                        return collective.version();
                    }))
                    .containsOnly(9L);
        }
    }

    @Test
    void roundEndsWhileTheCopyIsRead_nextRoundGoesOnFromIt() throws Exception {
        try (TestCluster cluster = start(3, durable(2))) {
            commit(cluster, 9);
        }
        Path slow = directory.resolve("durable").resolve("000000000009.global");
        assertThat(new ProcessBuilder("mkfifo", slow.toString()).start().waitFor())
                .isZero();
        try (TestCluster again = start(3, durable(2))) {
            List<Future<Long>> broken = again.start(5, again.workers, Collective::version);
            try (OutputStream read = Files.newOutputStream(slow)) {
                // Rank 0 has begun to read it: else this would not have been opened.
                again.workers.forEach(worker -> worker.pause(5));
                read.write(0);
            }
            for (Future<Long> each : broken) {
                assertThat(TestCluster.failure(each)).isInstanceOf(WorldChangedException.class);
            }
            Files.delete(slow);
            assertThat(again.run(6, again.workers, DurableCopiesTest::describe))
                    .containsExactly("8:state8:8@0:{}", "8:state8:8@1:{}", "8:state8:8@2:{}");
        }
    }

    @Test
    void noCopyIsWhole_policyFail_endsTheRun() throws Exception {
        Path durable = Files.createDirectories(directory.resolve("durable"));
        Files.writeString(durable.resolve("000000000007.global"), "not a checkpoint");
        CheckpointOptions ending = new CheckpointOptions(
                LocalRedundancy.copies(2), false, true, Optional.of(durable), 1, Optional.empty());
        try (TestCluster cluster = start(2, ending)) {
            PeerTable table = TestCluster.table(3, cluster.workers);
            List<Future<Collective>> futures =
                    cluster.startEach(2, rank -> cluster.workers.get(rank).join(table, rank, rank, 0));
            for (int rank = 0; rank < 2; rank++) {
                assertThat(TestCluster.failure(futures.get(rank)))
                        .isInstanceOf(StateLostException.class)
                        .hasMessageContaining("STATE_LOST: version 7 is in the directory of durable copies");
                assertThat(cluster.workers.get(rank).control.reports())
                        .filteredOn(UpMessage.StateLost.class::isInstance)
                        .isEqualTo(rank == 0 ? List.of(new UpMessage.StateLost(3, 7)) : List.of());
            }
        }
    }

    @Test
    void noCopyIsWhole_policyRestart_newCopiesStayAndNewerOnesAreSetAside() throws Exception {
        Path durable = Files.createDirectories(directory.resolve("durable"));
        Files.writeString(durable.resolve("000000000008.global"), "not a checkpoint");
        Files.writeString(durable.resolve("000000000006.global"), "not a checkpoint");
        try (TestCluster cluster = start(2, durable(2))) {
            commit(cluster, 4);
        }
        assertThat(names())
                .contains("000000000002.global", "000000000004.global", "000000000004.local.1")
                .contains("000000000006.global.aside", "000000000008.global.aside")
                .doesNotContain("000000000006.global", "000000000008.global");
        try (TestCluster again = start(2, durable(2))) {
            assertThat(again.run(5, again.workers, DurableCopiesTest::describe))
                    .containsExactly("4:state4:4@0:{}", "4:state4:4@1:{}");
        }
    }

    @Test
    void writtenAfterANewerOneOfALaterWorld_leavesThatInPlace() throws Exception {
        keep(2, 12);
        keep(1, 10);
        assertThat(names()).containsExactlyInAnyOrder("000000000010.global", "000000000012.global");
        keep(3, 11);
        assertThat(names())
                .containsExactlyInAnyOrder("000000000010.global", "000000000011.global", "000000000012.global.aside");
    }

    /** Else a directory that outlives many runs would grow without end. */
    @Test
    void setAsideAgain_onlyWhatWasSetAsideLastStays() throws Exception {
        keep(1, 10);
        keep(1, 12);
        keep(2, 5);
        keep(2, 6);
        keep(2, 7);
        assertThat(names())
                .as("what was set aside stays, however far the run comes")
                .containsExactlyInAnyOrder(
                        "000000000006.global",
                        "000000000007.global",
                        "000000000010.global.aside",
                        "000000000012.global.aside");

        keep(3, 3);

        assertThat(names())
                .containsExactlyInAnyOrder(
                        "000000000003.global", "000000000006.global.aside", "000000000007.global.aside");
    }

    /** As rank 0 of that world. */
    private void keep(long world, long version) {
        ContentPool pool = new ContentPool(1);
        try (CheckpointWriter writer = new CheckpointWriter()) {
            Checkpoint checkpoint = Checkpoint.copyOf(new byte[] {1}, "i", world, version, 1, pool, 1);
            new DurableCopies(directory.resolve("durable"), 1, writer, new CheckpointRetention(2))
                    .keep(checkpoint, 0, pool);
        }
    }

    @Test
    void newestIsDamaged_theOneBeforeIsTaken() throws Exception {
        try (TestCluster cluster = start(2, durable(1))) {
            commit(cluster, 4);
        }
        Path newest = directory.resolve("durable").resolve("000000000004.global");
        byte[] damaged = Files.readAllBytes(newest);
        damaged[damaged.length - 6] ^= 1;
        Files.write(newest, damaged);
        try (TestCluster again = start(2, durable(1))) {
            assertThat(again.run(5, again.workers, DurableCopiesTest::describe))
                    .containsExactly("3:state3:3@0:{}", "3:state3:3@1:{}");
        }
    }

    @Test
    void lazy_isWrittenDownByRankZeroWhenItIsDue() throws Exception {
        AtomicInteger written = new AtomicInteger();
        try (TestCluster cluster = start(2, durable(3))) {
            cluster.run(1, cluster.workers, collective -> {
                for (int i = 1; i <= 7; i++) {
                    String state = "lazy" + i;
                    collective.barrier();
                    collective.lazyCheckpoint(() -> {
                        written.incrementAndGet();
                        return bytes(state);
                    });
                }
                collective.barrier();
                return true;
            });
            assertThat(written).hasValue(2);
        }
        try (TestCluster again = start(2, durable(3))) {
            assertThat(again.run(5, again.workers, DurableCopiesTest::describe))
                    .containsExactly("6:lazy6::{}", "6:lazy6::{}");
        }
    }

    @Test
    void stateLost_policyFail_endsTheRunWithThatReason() throws Exception {
        CheckpointOptions ending =
                new CheckpointOptions(LocalRedundancy.copies(2), false, true, Optional.empty(), 1, Optional.empty());
        try (TestCluster cluster = start(2, ending)) {
            PeerTable table = TestCluster.table(3, cluster.workers);
            List<Future<Collective>> futures =
                    cluster.startEach(2, rank -> cluster.workers.get(rank).join(table, rank, rank, 7));
            for (int rank = 0; rank < 2; rank++) {
                assertThat(TestCluster.failure(futures.get(rank)))
                        .isInstanceOf(StateLostException.class)
                        .hasMessageContaining("STATE_LOST: version 7 had been completed");
                assertThat(cluster.workers.get(rank).control.reports())
                        .filteredOn(UpMessage.StateLost.class::isInstance)
                        .isEqualTo(rank == 0 ? List.of(new UpMessage.StateLost(3, 7)) : List.of());
            }
        }
    }

    @Test
    void stateLost_policyRestart_startsFromNothing() throws Exception {
        try (TestCluster cluster = start(2, CheckpointOptions.STANDARD)) {
            PeerTable table = TestCluster.table(3, cluster.workers);
            List<Future<Long>> futures = cluster.startEach(
                    2,
                    rank -> cluster.workers.get(rank).join(table, rank, rank, 7).version());
            assertThat(TestCluster.results(futures)).containsOnly(0L);
        }
    }

    @Test
    void options_ofTheEnvironment_areChecked() {
        CheckpointOptions options = CheckpointOptions.of(Map.of(
                WorkerEnv.LOCAL_REPLICAS, "0",
                WorkerEnv.CHECKPOINT_DIR, "/somewhere/run",
                WorkerEnv.CHECKPOINT_EVERY, "12",
                WorkerEnv.ON_STATE_LOSS, "fail",
                WorkerEnv.CHECKPOINT_DISK, "/disk/checkpoint",
                WorkerEnv.ROUND, "3"));
        assertThat(options)
                .isEqualTo(new CheckpointOptions(
                        LocalRedundancy.copies(0),
                        true,
                        true,
                        Optional.of(Path.of("/somewhere/run")),
                        12,
                        Optional.of(Path.of("/disk/checkpoint"))));
        assertThat(CheckpointOptions.of(Map.of())).isEqualTo(CheckpointOptions.STANDARD);
        assertThatThrownBy(() -> CheckpointOptions.of(Map.of(WorkerEnv.LOCAL_REPLICAS, "-1")))
                .hasMessage("ELASTIC_LOCAL_REPLICAS: -1 (expected: 0 or more)");
        assertThat(CheckpointOptions.of(Map.of(WorkerEnv.CHECKPOINT_PARITY, "4", WorkerEnv.LOCAL_REPLICAS, "2"))
                        .redundancy())
                .isEqualTo(LocalRedundancy.parity(4));
        assertThat(CheckpointOptions.of(Map.of(WorkerEnv.CHECKPOINT_PARITY, "0")))
                .isEqualTo(CheckpointOptions.STANDARD);
        for (String wrong : List.of("1", "17")) {
            assertThatThrownBy(() -> CheckpointOptions.of(Map.of(WorkerEnv.CHECKPOINT_PARITY, wrong)))
                    .hasMessage("ELASTIC_CHECKPOINT_PARITY: " + wrong + " (expected: 0, or 2 to 16)");
        }
        assertThatThrownBy(() -> CheckpointOptions.of(Map.of(WorkerEnv.CHECKPOINT_EVERY, "often")))
                .hasMessage("ELASTIC_CHECKPOINT_EVERY: often (expected: a number)");
        assertThatThrownBy(() -> CheckpointOptions.of(Map.of(WorkerEnv.ON_STATE_LOSS, "hope")))
                .hasMessage("ELASTIC_ON_STATE_LOSS: hope (expected: restart or fail)");
    }

    private CheckpointOptions durable(int every) {
        return new CheckpointOptions(
                LocalRedundancy.copies(2),
                false,
                false,
                Optional.of(directory.resolve("durable")),
                every,
                Optional.empty());
    }

    /** On nodes whose files are gone. */
    private TestCluster start(int size, CheckpointOptions options) {
        TestCluster cluster = new TestCluster(directory, 0);
        for (int i = 0; i < size; i++) {
            cluster.workers.add(new TestWorker(directory.resolve("node" + starts), options));
            starts++;
        }
        return cluster;
    }

    private static void commit(TestCluster cluster, int versions) throws Exception {
        cluster.run(1, cluster.workers, collective -> {
            for (int i = 1; i <= versions; i++) {
                collective.checkpoint(bytes("state" + i), bytes(i + "@" + collective.rank()));
                // Each is written before a newer one takes its place.
                cluster.workers.get(collective.rank()).plane.awaitFiles();
                collective.barrier();
            }
            return true;
        });
    }

    private static String describe(Collective collective) {
        collective.barrier();
        StringBuilder orphans = new StringBuilder();
        collective
                .orphanedLocals()
                .forEach((owner, state) -> orphans.append(owner).append('=').append(text(state)));
        return collective.version() + ":" + text(collective.loadCheckpoint().orElseThrow()) + ":"
                + collective.loadLocal().map(DurableCopiesTest::text).orElse("") + ":{" + orphans + "}";
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("durable"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
