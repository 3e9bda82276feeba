/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.logs.ConsoleMultiplexer;
import dev.elasticrun.agent.logs.ErrorFile;
import dev.elasticrun.agent.process.ExitDescription;
import dev.elasticrun.agent.process.FileChannelWriter;
import dev.elasticrun.agent.process.GroupSignal;
import dev.elasticrun.agent.process.PeerTableWriter;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.process.RunDirectory;
import dev.elasticrun.agent.process.StderrTail;
import dev.elasticrun.agent.process.UpChannelReader;
import dev.elasticrun.agent.process.WorkerCommand;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.process.WorkerStopper;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The effects on worker processes and their channels. Called by the agent's loop; results are posted as events from
 * other threads. One group lives at a time.
 */
final class WorkerGroups {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroups.class);

    private final LaunchConfig config;
    private final AgentSettings settings;
    private final String runId;
    private final NodeFiles files;
    private final RunDirectory runDirectory;
    private final ProcessLauncher launcher;
    private final WorkerStopper stopper = new WorkerStopper();
    private final UpChannelReader upReader;
    private final PeerTableWriter peerTables;
    private final @Nullable ConsoleMultiplexer console;
    private final Clock clock;
    private final Consumer<AgentEvent> post;
    private final List<Handle> current = new ArrayList<>();
    private long leaseDeadlineNanos = Long.MAX_VALUE;
    private long sealedRound;
    /** Read by the thread that shows logs: the first rank of this node, or -1. */
    private volatile int firstRank = -1;

    WorkerGroups(
            AgentContext context,
            RunDirectory runDirectory,
            ProcessLauncher launcher,
            @Nullable ConsoleMultiplexer console,
            Clock clock,
            Consumer<AgentEvent> post) {
        this.config = context.config();
        this.settings = context.settings();
        this.runId = context.runId();
        this.files = context.files();
        this.runDirectory = runDirectory;
        this.launcher = launcher;
        this.console = console;
        this.clock = clock;
        this.post = post;
        this.peerTables = new PeerTableWriter(runDirectory.path());
        this.upReader = UpChannelReader.start(new Messages());
    }

    private record Handle(int slot, int attempt, FileChannelWriter writer, CompletableFuture<WorkerProcess> process) {

        boolean gone() {
            return process.isCompletedExceptionally()
                    || (process.isDone() && process.join().exit().isDone());
        }
    }

    void start(AgentEffect.StartGroup start, @Nullable RunIdentity identity, int restartCount) {
        Round round = start.round();
        current.forEach(handle -> handle.writer().close());
        current.clear();
        if (round != null) {
            firstRank = round.participant(settings.nodeId()).orElseThrow().firstRank();
            writePeers(round);
        }
        for (int slot = 0; slot < settings.slots(); slot++) {
            WorkerInfo info = round == null ? null : WorkerInfos.of(round, settings.nodeId(), slot);
            WorkerEvent first = round == null || info == null || identity == null
                    ? null
                    : WorkerEvents.work(1, clock.instant(), identity, round, start.cause(), info);
            current.add(startWorker(slot, start.generation(), first, identity, restartCount));
        }
    }

    /** The workers in these slots are gone; fresh ones take their place among the others. */
    void replace(AgentEffect.ReplaceWorkers replace, @Nullable RunIdentity identity, int restartCount) {
        for (int slot : replace.slots()) {
            current.get(slot).writer().close();
            WorkerEvent first =
                    replace.pause() && identity != null ? WorkerEvents.firstPause(clock.instant(), identity) : null;
            current.set(slot, startWorker(slot, replace.generation(), first, identity, restartCount));
        }
    }

    private Handle startWorker(
            int slot, int attempt, @Nullable WorkerEvent first, @Nullable RunIdentity identity, int restartCount) {
        ChannelLayout layout;
        FileChannelWriter writer;
        try {
            layout = runDirectory.layout(slot, attempt);
            writer = FileChannelWriter.open(layout);
            writer.leaseDeadline(leaseDeadlineNanos);
            writer.sealedRound(sealedRound);
            if (first != null) {
                writer.publish(first);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the channel of worker " + slot, e);
        }
        upReader.add(slot, attempt, layout);
        Path stdout = files.stdout(slot, attempt);
        Path stderr = files.stderr(slot, attempt);
        int maxRestarts = identity == null ? settings.maxRestarts() : identity.maxRestarts();
        Map<String, String> environment = WorkerEnvironment.of(
                System.getenv(),
                config,
                runId,
                slot,
                restartCount,
                maxRestarts,
                settings.replacesWorkers(),
                layout,
                files.error(slot, attempt),
                first == null ? null : first.workerInfo());
        show(slot, stdout, stderr);
        CompletableFuture<WorkerProcess> process = launcher.start(new WorkerCommand(
                WorkerProgram.commandLine(config),
                environment,
                stdout,
                stderr,
                Path.of("").toAbsolutePath()));
        process.whenComplete((started, error) -> {
            if (started == null) {
                ended(slot, attempt, -1, error);
                post.accept(new AgentEvent.WorkerGone(attempt, slot));
            } else {
                post.accept(new AgentEvent.WorkerStarted(attempt, slot, started.pid()));
                CompletableFuture<Void> told = started.exit().thenAccept(code -> ended(slot, attempt, code, null));
                CompletableFuture.allOf(told, started.groupGone())
                        .thenRun(() -> post.accept(new AgentEvent.WorkerGone(attempt, slot)));
            }
        });
        return new Handle(slot, attempt, writer, process);
    }

    /** On a thread of the launcher: what the worker left behind is read before its end is told. */
    private void ended(int slot, int attempt, int exitCode, @Nullable Throwable startError) {
        upReader.drain(slot, attempt);
        Path stderr = files.stderr(slot, attempt);
        List<String> lastStderr = List.of();
        String end = startError == null ? ExitDescription.describe(exitCode) : String.valueOf(startError.getMessage());
        ErrorFile said = exitCode == 0 ? new ErrorFile(null, "") : ErrorFile.read(files.error(slot, attempt));
        if (exitCode != 0) {
            try {
                lastStderr = StderrTail.read(stderr);
            } catch (IOException e) {
                LOG.warn("worker={} attempt={} the end of its log cannot be read: {}", slot, attempt, e.toString());
            }
        }
        post.accept(new AgentEvent.WorkerEnded(
                attempt, slot, exitCode, said.message(end), said.stack(), lastStderr, stderr.toString()));
    }

    void stop(int generation, Duration grace) {
        List<CompletableFuture<WorkerProcess>> starts =
                current.stream().map(Handle::process).toList();
        CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new))
                .handle((ok, someDidNotStart) -> starts.stream()
                        .filter(start -> !start.isCompletedExceptionally())
                        .map(CompletableFuture::join)
                        .toList())
                .thenCompose(processes -> stopper.stopAll(processes, grace))
                .whenComplete((ok, error) -> {
                    if (error != null) {
                        LOG.error("workers of attempt {} do not end", generation, error);
                    }
                    post.accept(new AgentEvent.GroupGone(generation));
                });
    }

    /** Ends every grace period. */
    void force() {
        stopper.force();
    }

    /** Kills the worker with all of its group; it ends as if it had done so by itself. */
    void kill(int slot, int attempt) {
        Handle handle = current.get(slot);
        if (handle.attempt() == attempt) {
            handle.process().thenAccept(process -> process.signalGroup(GroupSignal.KILL));
        }
    }

    void pause(AgentEffect.Pause pause, RunIdentity identity) {
        for (Handle handle : current) {
            publish(handle, WorkerEvents.pause(handle.writer().nextSeq(), pause, clock.instant(), identity));
        }
    }

    void work(AgentEffect.Work work, RunIdentity identity) {
        Round round = work.round();
        firstRank = round.participant(settings.nodeId()).orElseThrow().firstRank();
        writePeers(round);
        for (Handle handle : current) {
            WorkerInfo info = WorkerInfos.of(round, settings.nodeId(), handle.slot());
            publish(
                    handle,
                    WorkerEvents.work(handle.writer().nextSeq(), clock.instant(), identity, round, work.cause(), info));
        }
    }

    private void publish(Handle handle, WorkerEvent event) {
        if (handle.gone()) {
            return;
        }
        try {
            handle.writer().publish(event);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot tell worker " + handle.slot() + " about round " + event.round(), e);
        }
    }

    private void writePeers(Round round) {
        try {
            peerTables.write(WorkerInfos.peers(round));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the peers of round " + round.number(), e);
        }
    }

    void leaseDeadline(long deadlineNanos) {
        leaseDeadlineNanos = deadlineNanos;
        current.forEach(handle -> handle.writer().leaseDeadline(deadlineNanos));
    }

    void sealedRound(long round) {
        sealedRound = round;
        current.forEach(handle -> handle.writer().sealedRound(round));
    }

    private void show(int slot, Path stdout, Path stderr) {
        if (console == null) {
            return;
        }
        console.add(stderr, () -> prefix(slot), () -> true, System.err);
        console.add(stdout, () -> prefix(slot), () -> firstRank == 0 && slot == 0, System.out);
    }

    private String prefix(int slot) {
        int first = firstRank;
        return "[" + settings.role() + " " + (first < 0 ? "local " + slot : Integer.toString(first + slot)) + "]: ";
    }

    /** Closes the channels. Called outside the loop, which has ended. */
    void close() {
        for (Handle handle : current) {
            handle.writer().close();
        }
        upReader.close();
    }

    private final class Messages implements UpChannelReader.Listener {
        @Override
        public void onMessage(int slot, int attempt, UpMessage message) {
            post.accept(new AgentEvent.WorkerSaid(attempt, slot, message));
        }

        @Override
        public void onDamaged(int slot, int attempt, Path file, String problem) {
            LOG.warn("worker={} attempt={} wrote something unreadable, {}: {}", slot, attempt, file, problem);
        }
    }
}
