/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.channel.PeerTableWriter;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.directory.AgentDirectories;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.process.WorkerCommand;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.EventDelivery;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker finds when it is started, by a launcher that starts nothing. */
@Tag("once")
final class WorkerStarterIT {
    private final List<AgentEvent> posted = new CopyOnWriteArrayList<>();
    private final CompletableFuture<WorkerProcess> starting = new CompletableFuture<>();
    private final Launcher launcher = new Launcher();

    @TempDir
    private Path directory;

    private AgentContext context;
    private AgentDirectories directories;
    private WorkerLogs logs;
    private WorkerWatch watch;
    private final List<WorkerHandle> workers = new ArrayList<>();
    private WorkerChannels channels;
    private WorkerStarter starter;

    @BeforeEach
    void make() throws IOException {
        context = AgentContext.of(
                LaunchConfig.builder("/bin/echo")
                        .arguments(List.of("a b"))
                        .standalone(true)
                        .nprocPerNode(2)
                        .environment(Map.of("MINE", "1"))
                        .logDir(directory)
                        .console(false)
                        .build(),
                System.nanoTime());
        directories = AgentDirectories.create(context.incarnation(), context.nodeId(), 2);
        logs = WorkerLogs.start(context);
        watch = new WorkerWatch(context, logs, posted::add, ResultKeeper.NONE);
        EventDelivery delivery = new EventDelivery(
                new SimulatedLoop(new SimulatedTime()),
                new PeerTableWriter(directories.run().path()),
                directories.run().fillBallast(),
                Duration.ofSeconds(5),
                (worker, reason) -> {});
        channels = new WorkerChannels(
                context.nodeId(), delivery, Clock.systemUTC(), rank -> Map.of("ID", "r" + rank), false, workers);
        ClassDataArchive classData = new ClassDataArchive(
                context, new SimulatedLoop(new SimulatedTime()), Optional.empty(), launcher, event -> {});
        starter = new WorkerStarter(context, directories, launcher, channels, watch, classData);
    }

    @AfterEach
    void close() throws IOException {
        watch.close();
        logs.close();
        directories.close();
    }

    @Test
    void start_inARound_commandHasItsPlaceAndTheChannelItsFirstEvent() {
        RunIdentity identity = new RunIdentity(context.runId(), "i", 7, new byte[0]);
        Round round = RoundFixture.round(2).with(context.nodeId(), 0, 2).build();

        WorkerHandle worker = starter.start(1, 3, channels.firstWork(round, 1, "start", identity), identity, 2);

        assertThat(launcher.commands).singleElement().satisfies(command -> {
            assertThat(command.argv()).containsExactly("/bin/echo", "a b");
            assertThat(command.environment())
                    .containsEntry("LOCAL_RANK", "1")
                    .containsEntry("LOCAL_WORLD_SIZE", "2")
                    .containsEntry("MINE", "1")
                    .containsEntry("ELASTIC_RESTART_COUNT", "2")
                    .containsEntry("ELASTIC_MAX_RESTARTS", "7");
            assertThat(command.stdout()).isEqualTo(context.files().stdout(1, 3));
            assertThat(command.stderr()).isEqualTo(context.files().stderr(1, 3));
            assertThat(Path.of(command.environment().get("TMPDIR"))).isDirectory();
        });
        assertThat(launcher.eventsAtStart).containsExactly(true);
        assertThat(worker.slot()).isEqualTo(1);
        assertThat(worker.attempt()).isEqualTo(3);
        worker.writer().close();
    }

    @Test
    void start_beforeAnyRound_receivesNothing() {
        WorkerHandle worker = starter.start(0, 0, null, null, 0);

        assertThat(launcher.eventsAtStart).containsExactly(false);
        assertThat(launcher.commands.get(0).environment()).containsEntry("ELASTIC_MAX_RESTARTS", "3");
        worker.writer().close();
    }

    @Test
    void worker_isGone_soIsItsTemporaryDirectory() {
        WorkerHandle worker = starter.start(0, 0, null, null, 0);
        Path temporary = Path.of(launcher.commands.get(0).environment().get("TMPDIR"));
        FakeWorkerProcess process = new FakeWorkerProcess(Integer.MAX_VALUE);
        starting.complete(process);
        assertThat(temporary).exists();

        process.ends(0);

        assertThat(posted).contains(new AgentEvent.WorkerGone(0, 0));
        await().until(() -> !Files.exists(temporary));
        worker.writer().close();
    }

    @Test
    void worker_cannotBeStarted_hasEndedWithTheReason() {
        WorkerHandle worker = starter.start(0, 0, null, null, 0);

        starting.completeExceptionally(new IOException("no such program"));

        assertThat(posted).hasSize(2).first().satisfies(event -> assertThat(event.toString())
                .contains("WorkerEnded", "no such program"));
        assertThat(posted.get(1)).isEqualTo(new AgentEvent.WorkerGone(0, 0));
        worker.writer().close();
    }

    @Test
    void start_filesCannotBeMade_isAFailedStartWithTheReason() throws Exception {
        Files.writeString(directories.run().path().resolve("workers"), "in the way");

        WorkerHandle worker = starter.start(0, 0, null, null, 0);

        assertThat(launcher.commands).isEmpty();
        assertThat(worker.gone()).isTrue();
        assertThat(posted).hasSize(2).first().satisfies(event -> assertThat(event.toString())
                .contains("WorkerEnded", " worker 0", "Not a directory"));
        assertThat(posted.get(1)).isEqualTo(new AgentEvent.WorkerGone(0, 0));
        workers.add(worker);
        channels.leaseDeadline(5);
        channels.sealedRound(RoundFixture.round(5).with("a", 0, 1).build());
        worker.writer().close();
    }

    @Test
    void start_roomWasTakenMeanwhile_comesFromTheBallast() throws Exception {
        Path ballast = directories.run().path().resolve("ballast");
        assertThat(ballast).hasSize(1 << 20);
        Files.createDirectories(ChannelLayout.of(directories.run().path(), 0, 0).head());

        WorkerHandle worker = starter.start(0, 0, null, null, 0);

        assertThat(ballast).doesNotExist();
        assertThat(worker.gone()).isFalse();
        worker.writer().close();
    }

    @Test
    void worker_isGone_soIsItsChannel() {
        WorkerHandle worker = starter.start(0, 0, null, null, 0);
        Path channel = ChannelLayout.of(directories.run().path(), 0, 0).channelDirectory();
        FakeWorkerProcess process = new FakeWorkerProcess(Integer.MAX_VALUE);
        starting.complete(process);
        assertThat(channel).exists();

        process.ends(0);

        await().until(() -> !Files.exists(channel));
        worker.writer().close();
    }

    private final class Launcher implements ProcessLauncher {
        private final List<WorkerCommand> commands = new ArrayList<>();
        private final List<Boolean> eventsAtStart = new ArrayList<>();

        @Override
        public CompletableFuture<WorkerProcess> start(WorkerCommand command) {
            commands.add(command);
            Path channel = Path.of(String.valueOf(command.environment().get(WorkerEnv.CHANNEL_DIR)));
            eventsAtStart.add(Files.exists(new ChannelLayout(channel).event(1)));
            return starting;
        }

        @Override
        public void close() {
            // It has started nothing.
        }
    }
}
