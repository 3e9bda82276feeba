/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.elasticrun.agent.channel.FileChannelWriter;
import dev.elasticrun.agent.channel.PeerTableWriter;
import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.agent.rules.EventDelivery;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
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

    private static final AgentEffect.Pause PAUSE =
            new AgentEffect.Pause(0, 1, 1, 1, WorldChange.NONE, PauseKind.CHANGE, "lost c");
    private static final AgentEffect.Work WORK = new AgentEffect.Work(0, 2, ROUND, "without c", List.of());
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @TempDir
    private Path node;

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final List<WorkerHandle> workers = new ArrayList<>();
    private final Map<WorkerHandle, String> unreachable = new HashMap<>();

    @Test
    void open_headAndFirstEvent_areThereBeforeTheWorkerIs() throws Exception {
        WorkerChannels channels = channels();
        channels.leaseDeadline(123);
        channels.sealedRound(ROUND);
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
    void pauseAndWork_twoWorkers_areSentInOrderAndWithTheirPeers() throws Exception {
        WorkerChannels channels = channels();
        workers.addAll(List.of(running(0), running(1)));

        inLoop(() -> {
            channels.pause(PAUSE, RUN);
            channels.work(WORK, RUN);
        });

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
    void pause_workerHasEnded_isNotNotified() throws Exception {
        WorkerChannels channels = channels();
        FakeWorkerProcess ended = new FakeWorkerProcess(7);
        ended.ends(1);
        WorkerHandle gone = FakeWorkerProcess.worker(node, 0, CompletableFuture.completedFuture(ended));
        WorkerHandle neverStarted =
                FakeWorkerProcess.worker(node, 1, CompletableFuture.failedFuture(new IOException("no program")));
        WorkerHandle starting = FakeWorkerProcess.worker(node, 2, new CompletableFuture<>());

        workers.addAll(List.of(gone, neverStarted, starting));
        inLoop(() -> channels.pause(PAUSE, RUN));

        assertThat(ChannelLayout.of(node, 0, 0).event(1)).doesNotExist();
        assertThat(ChannelLayout.of(node, 1, 0).event(1)).doesNotExist();
        assertThat(event(2, 1).workerState()).isEqualTo(WorkerState.PAUSED);
        workers.forEach(worker -> worker.writer().close());
    }

    @Test
    void events_cannotBeWritten_comeInOrderOnceTheyCan() throws Exception {
        WorkerChannels channels = channels();
        WorkerHandle blocked = running(0);
        WorkerHandle well = running(1);
        workers.addAll(List.of(blocked, well));
        Path aside = block(0);

        inLoop(() -> channels.pause(PAUSE, RUN));
        inLoop(() -> channels.work(WORK, RUN));
        time.pass(Duration.ofSeconds(1));
        assertThat(event(1, 2).workerState()).isEqualTo(WorkerState.HEALTHY);
        assertThat(aside).isEmptyDirectory();
        Files.move(aside, ChannelLayout.of(node, 0, 0).events());
        time.pass(Duration.ofSeconds(1));

        assertThat(event(0, 1).workerState()).isEqualTo(WorkerState.PAUSED);
        assertThat(event(0, 2).workerState()).isEqualTo(WorkerState.HEALTHY);
        assertThat(unreachable).isEmpty();
        workers.forEach(worker -> worker.writer().close());
    }

    @Test
    void events_supersededBeforeTheyCouldBeWritten_neverAre() throws Exception {
        WorkerChannels channels = channels();
        workers.addAll(List.of(running(0)));
        Path aside = block(0);

        inLoop(() -> {
            channels.pause(PAUSE, RUN);
            channels.work(WORK, RUN);
            channels.pause(PAUSE, RUN);
            channels.work(WORK, RUN);
        });
        Files.move(aside, ChannelLayout.of(node, 0, 0).events());
        time.pass(Duration.ofSeconds(1));

        assertThat(ChannelLayout.of(node, 0, 0).events().toFile().list()).containsExactlyInAnyOrder("3.json", "4.json");
        assertThat(event(0, 3).workerState()).isEqualTo(WorkerState.PAUSED);
        workers.forEach(worker -> worker.writer().close());
    }

    @Test
    void events_canNeverBeWritten_onlyThatWorkerIsGivenUp() throws Exception {
        WorkerChannels channels = channels();
        WorkerHandle blocked = running(0);
        WorkerHandle well = running(1);
        workers.addAll(List.of(blocked, well));
        block(0);

        inLoop(() -> channels.pause(PAUSE, RUN));
        time.pass(PATIENCE.minusMillis(1));
        assertThat(unreachable).isEmpty();
        time.pass(Duration.ofMillis(100));

        assertThat(unreachable).containsOnlyKeys(blocked);
        assertThat(unreachable.get(blocked)).contains(" 5000 ms", "NoSuchFile");
        blocked.writer().close();
        well.writer().close();
    }

    @Test
    void work_peersCannotBeWritten_isHeldBackUntilTheyAre() throws Exception {
        WorkerChannels channels = channels();
        workers.addAll(List.of(running(0)));
        Path inTheWay = Files.createFile(node.resolve("peers"));

        inLoop(() -> channels.work(WORK, RUN));
        assertThat(ChannelLayout.of(node, 0, 0).event(1)).doesNotExist();
        Files.delete(inTheWay);
        time.pass(Duration.ofSeconds(1));

        assertThat(event(0, 1).workerState()).isEqualTo(WorkerState.HEALTHY);
        assertThat(node.resolve("peers").resolve("2")).exists();
        workers.forEach(worker -> worker.writer().close());
    }

    @Test
    void head_cutByItsWorker_onlyThatWorkerIsGivenUp() throws Exception {
        WorkerChannels channels = channels();
        WorkerHandle cutter = running(0);
        WorkerHandle well = running(1);
        workers.addAll(List.of(cutter, well));
        Files.write(ChannelLayout.of(node, 0, 0).head(), new byte[0]);

        inLoop(() -> {
            channels.leaseDeadline(123);
            channels.pause(PAUSE, RUN);
        });

        assertThat(unreachable).containsOnlyKeys(cutter);
        assertThat(unreachable.get(cutter)).contains("head");
        assertThat(event(1, 1).workerState()).isEqualTo(WorkerState.PAUSED);
        cutter.writer().close();
        well.writer().close();
    }

    private WorkerChannels channels() throws IOException {
        return channels(true);
    }

    private WorkerChannels channels(boolean meetsOthers) throws IOException {
        try (RunDirectory run = RunDirectory.create("i", "n" + node.getFileName(), 1)) {
            EventDelivery delivery =
                    new EventDelivery(loop, new PeerTableWriter(node), run.fillBallast(), PATIENCE, unreachable::put);
            return new WorkerChannels(
                    "a",
                    delivery,
                    Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                    rank -> Map.of("ID", "r" + rank),
                    meetsOthers,
                    workers);
        }
    }

    @Test
    void sealedRound_withoutThisNode_isThereForItsNewWorkers() throws Exception {
        Round others = RoundFixture.round(3).with("b", 0, 1).build();
        ChannelLayout layout = ChannelLayout.of(node, 0, 0);
        channels(false).sealedRound(others);
        assertThat(layout.peers(3)).doesNotExist();
        channels().sealedRound(ROUND);
        assertThat(layout.peers(2)).doesNotExist();
        channels().sealedRound(others);
        assertThat(PeerTable.decode(Files.readAllBytes(layout.peers(3))).peers())
                .extracting(PeerTable.Peer::nodeId)
                .containsExactly("b");
    }

    @Test
    void sealedRound_tableCannotBeWritten_isReportedAllTheSame() throws Exception {
        Files.createFile(node.resolve("peers"));
        WorkerChannels channels = channels();
        channels.sealedRound(RoundFixture.round(3).with("b", 0, 1).build());
        ChannelLayout layout = ChannelLayout.of(node, 1, 0);
        Files.createDirectories(layout.events());
        FileChannelWriter writer = channels.open(layout, null);
        assertThat(Head.open(layout.head()).sealedRound()).isEqualTo(3);
        writer.close();
    }

    private Path block(int slot) throws IOException {
        ChannelLayout layout = ChannelLayout.of(node, slot, 0);
        return Files.move(layout.events(), layout.channelDirectory().resolve("aside"));
    }

    private void inLoop(Runnable task) {
        loop.execute(task);
        time.pass(Duration.ZERO);
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
