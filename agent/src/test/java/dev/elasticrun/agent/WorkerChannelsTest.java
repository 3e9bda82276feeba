/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.elasticrun.agent.process.FileChannelWriter;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.WorldChange;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerChannelsTest {
    private static final RunIdentity RUN = new RunIdentity("run", "i", 3, new byte[0]);
    private static final Round ROUND =
            RoundFixture.round(2).with("b", 0, 1).with("a", 0, 2).build();

    @TempDir
    private Path node;

    @Test
    void open_headAndFirstEvent_areThereBeforeTheWorkerIs() throws Exception {
        WorkerChannels channels = channels();
        channels.leaseDeadline(List.of(), 123);
        channels.sealedRound(List.of(), 2);
        ChannelLayout layout = ChannelLayout.of(node, 1, 0);
        Files.createDirectories(layout.events());

        FileChannelWriter writer = channels.open(layout, channels.firstWork(ROUND, 1, "start", RUN));
        writer.close();

        try (Head head = Head.open(layout.head())) {
            assertThat(head.leaseDeadlineNanos()).isEqualTo(123);
            assertThat(head.sealedRound()).isEqualTo(2);
            assertThat(head.seq()).isEqualTo(1);
        }
        WorkerInfo info = Objects.requireNonNull(event(1, 1).workerInfo());
        assertThat(info.rank()).isEqualTo(2);
        assertThat(info.worldSize()).isEqualTo(3);
        assertThat(info.runtime()).containsExactly(Map.entry("ID", "r2"));
    }

    @Test
    void pauseAndWork_twoWorkers_areToldInOrderAndWhereTheirPeersAre() throws Exception {
        WorkerChannels channels = channels();
        List<WorkerHandle> workers = List.of(running(0), running(1));

        channels.pause(workers, new AgentEffect.Pause(0, 1, 1, 1, WorldChange.NONE, PauseKind.CHANGE, "lost c"), RUN);
        channels.work(workers, new AgentEffect.Work(0, 2, ROUND, "without c"), RUN);

        assertThat(event(0, 1).workerState()).isEqualTo(WorkerState.PAUSED);
        assertThat(event(1, 2).workerState()).isEqualTo(WorkerState.HEALTHY);
        assertThat(event(1, 2).cause()).isEqualTo("without c");
        assertThat(event(0, 2).workerInfo())
                .extracting(WorkerInfo::runtime, MAP)
                .containsExactly(Map.entry("ID", "r1"));
        assertThat(node.resolve("peers").resolve("2")).exists();
        workers.forEach(worker -> worker.writer().close());
    }

    @Test
    void pause_workerHasEnded_isNotTold() throws Exception {
        FakeWorkerProcess ended = new FakeWorkerProcess(7);
        ended.ends(1);
        WorkerHandle gone = FakeWorkerProcess.worker(node, 0, CompletableFuture.completedFuture(ended));
        WorkerHandle neverStarted =
                FakeWorkerProcess.worker(node, 1, CompletableFuture.failedFuture(new IOException("no program")));
        WorkerHandle starting = FakeWorkerProcess.worker(node, 2, new CompletableFuture<>());

        List<WorkerHandle> workers = List.of(gone, neverStarted, starting);
        channels().pause(workers, new AgentEffect.Pause(0, 1, 1, 1, WorldChange.NONE, PauseKind.CHANGE, "lost c"), RUN);

        assertThat(ChannelLayout.of(node, 0, 0).event(1)).doesNotExist();
        assertThat(ChannelLayout.of(node, 1, 0).event(1)).doesNotExist();
        assertThat(event(2, 1).workerState()).isEqualTo(WorkerState.PAUSED);
        workers.forEach(worker -> worker.writer().close());
    }

    private WorkerChannels channels() {
        return new WorkerChannels(
                "a", node, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), rank -> Map.of("ID", "r" + rank));
    }

    private WorkerHandle running(int slot) throws IOException {
        return FakeWorkerProcess.worker(
                node, slot, CompletableFuture.completedFuture(new FakeWorkerProcess(100 + slot)));
    }

    private WorkerEvent event(int slot, long seq) throws IOException {
        return MessageCodec.decodeEvent(
                Files.readAllBytes(ChannelLayout.of(node, slot, 0).event(seq)));
    }
}
