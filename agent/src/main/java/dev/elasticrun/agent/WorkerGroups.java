/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.hang.HangWatch;
import dev.elasticrun.agent.logs.ErrorFile;
import dev.elasticrun.agent.process.ExitDescription;
import dev.elasticrun.agent.process.FileChannelWriter;
import dev.elasticrun.agent.process.GroupSignal;
import dev.elasticrun.agent.process.MemoryWatch;
import dev.elasticrun.agent.process.PeerTableWriter;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.process.RunDirectory;
import dev.elasticrun.agent.process.StderrTail;
import dev.elasticrun.agent.process.UnkillableException;
import dev.elasticrun.agent.process.UpChannelReader;
import dev.elasticrun.agent.process.WorkerCommand;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.process.WorkerStopper;
import dev.elasticrun.agent.process.WorkerTemporaries;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
    private final WorkerTemporaries temporaries;
    private final ProcessLauncher launcher;
    private final WorkerStopper stopper = new WorkerStopper();
    private final EndNews endNews;
    private final MemoryWatch memory = MemoryWatch.start();
    private final UpChannelReader upReader;
    private final PeerTableWriter peerTables;
    private final WorkerLogs logs;
    private final HangWatch hangs;
    private final Clock clock;
    private final Consumer<AgentEvent> post;
    private final List<Handle> current = new ArrayList<>();
    private long leaseDeadlineNanos = Long.MAX_VALUE;
    private long sealedRound;

    WorkerGroups(
            AgentContext context,
            RunDirectory runDirectory,
            WorkerTemporaries temporaries,
            ProcessLauncher launcher,
            WorkerLogs logs,
            Clock clock,
            Consumer<AgentEvent> post) {
        this.config = context.config();
        this.settings = context.settings();
        this.runId = context.runId();
        this.files = context.files();
        this.runDirectory = runDirectory;
        this.temporaries = temporaries;
        this.launcher = launcher;
        this.logs = logs;
        this.clock = clock;
        this.post = post;
        this.endNews = new EndNews(DrainSignal.exitCodes(config.drainSignals()));
        this.peerTables = new PeerTableWriter(runDirectory.path());
        this.upReader = UpChannelReader.start(new Messages());
        this.hangs = new HangWatch(config.times().hangTimeout());
        if (!config.times().hangTimeout().isZero()) {
            hangs.start();
        }
    }

    /**
     * @param told completes when the end of the worker was told
     * @param asked whether it was asked to end
     */
    private record Handle(
            int slot,
            int attempt,
            FileChannelWriter writer,
            CompletableFuture<WorkerProcess> process,
            CompletableFuture<Void> told,
            AtomicBoolean asked) {

        /** 0 = there is none. */
        long pid() {
            return process.isDone() && !process.isCompletedExceptionally()
                    ? process.join().pid()
                    : 0;
        }

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
            logs.firstRank(round.participant(settings.nodeId()).orElseThrow().firstRank());
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
        Path temporary;
        FileChannelWriter writer;
        try {
            layout = runDirectory.layout(slot, attempt);
            temporary = temporaries.make(slot, attempt);
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
                temporary,
                files.error(slot, attempt),
                first == null ? null : first.workerInfo());
        logs.follow(slot, attempt);
        CompletableFuture<WorkerProcess> process = launcher.start(new WorkerCommand(
                WorkerProgram.commandLine(config, temporary),
                environment,
                stdout,
                stderr,
                Path.of("").toAbsolutePath(),
                WorkerPlaces.of(config, slot)));
        AtomicBoolean asked = new AtomicBoolean();
        CompletableFuture<Void> told = new CompletableFuture<>();
        process.whenComplete((started, error) -> {
            if (started == null) {
                ended(slot, attempt, -1, String.valueOf(error.getMessage()));
                told.complete(null);
                post.accept(new AgentEvent.WorkerGone(attempt, slot));
            } else {
                post.accept(new AgentEvent.WorkerStarted(attempt, slot, started.pid()));
                watch(slot, attempt, started, new HangWatch.Target(layout.heartbeat(), started.pid(), stdout, stderr));
                memory.add(started.pid());
                started.exit()
                        .thenCompose(code -> {
                            String end = end(started.pid(), code, asked.get());
                            return endNews.of(code, asked::get).thenRun(() -> ended(slot, attempt, code, end));
                        })
                        .whenComplete((ok, failure) -> told.complete(null));
                started.groupGone().thenRun(() -> temporaries.discard(slot, attempt));
                CompletableFuture.allOf(told, started.groupGone()).whenComplete((ok, stuck) -> {
                    logs.ended(slot, attempt);
                    post.accept(
                            stuck == null
                                    ? new AgentEvent.WorkerGone(attempt, slot)
                                    : new AgentEvent.WorkersStuck(
                                            Map.of(slot, attempt),
                                            "worker " + slot + ": "
                                                    + cause(stuck).getMessage()));
                });
            }
        });
        return new Handle(slot, attempt, writer, process, told, asked);
    }

    /** A worker that hangs fails with what is known of it: what becomes of the others is the policy's affair. */
    private void watch(int slot, int attempt, WorkerProcess process, HangWatch.Target target) {
        hangs.add(slot, attempt, target, (message, stack) -> {
            post.accept(new AgentEvent.WorkerSaid(attempt, slot, new UpMessage.Failure(message, stack)));
            process.signalGroup(GroupSignal.KILL);
        });
        process.exit().whenComplete((code, error) -> hangs.remove(slot, attempt));
    }

    /** How a worker ended, in words; whom the agent itself killed the kernel did not. */
    private String end(long pid, int exitCode, boolean asked) {
        String code = ExitDescription.describe(exitCode);
        return memory.explain(pid, exitCode)
                .filter(cause -> !asked)
                .map(cause -> code + ", " + cause)
                .orElse(code);
    }

    /** On a thread of the launcher: what the worker left behind is read before its end is told. */
    private void ended(int slot, int attempt, int exitCode, String end) {
        upReader.drain(slot, attempt);
        Path stderr = files.stderr(slot, attempt);
        List<String> lastStderr = List.of();
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
        List<Handle> stopping = List.copyOf(current);
        stopping.forEach(handle -> handle.asked().set(true));
        endNews.release();
        List<CompletableFuture<WorkerProcess>> starts =
                stopping.stream().map(Handle::process).toList();
        CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new))
                .handle((ok, someDidNotStart) -> starts.stream()
                        .filter(start -> !start.isCompletedExceptionally())
                        .map(CompletableFuture::join)
                        .toList())
                .thenCompose(processes -> stopper.stopAll(processes, grace))
                .thenCompose(gone -> CompletableFuture.allOf(
                        stopping.stream().map(Handle::told).toArray(CompletableFuture[]::new)))
                .whenComplete((ok, failure) -> {
                    if (failure == null) {
                        post.accept(new AgentEvent.GroupGone(generation));
                    } else {
                        stuck(stopping, failure);
                    }
                });
    }

    private void stuck(List<Handle> stopped, Throwable failure) {
        if (cause(failure) instanceof UnkillableException unkillable) {
            Map<Integer, Integer> attempts = stopped.stream()
                    .filter(handle -> unkillable.pids().contains(handle.pid()))
                    .collect(Collectors.toMap(Handle::slot, Handle::attempt));
            post.accept(new AgentEvent.WorkersStuck(attempts, String.valueOf(unkillable.getMessage())));
        } else {
            LOG.error("cannot stop workers", failure);
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** The agent was asked to leave: what ends from now on was meant to. */
    void leaving() {
        endNews.leaving();
    }

    /** Ends every grace period. */
    void force() {
        stopper.force();
    }

    /** Kills the worker with all of its group; it ends as if it had done so by itself. */
    void kill(int slot, int attempt) {
        Handle handle = current.get(slot);
        if (handle.attempt() == attempt) {
            handle.asked().set(true);
            handle.process()
                    .thenCompose(process -> stopper.stopAll(List.of(process), Duration.ZERO))
                    .whenComplete((ok, failure) -> {
                        if (failure != null && !handle.process().isCompletedExceptionally()) {
                            stuck(List.of(handle), failure);
                        }
                    });
        }
    }

    void pause(AgentEffect.Pause pause, RunIdentity identity) {
        hangs.warmUp();
        for (Handle handle : current) {
            publish(handle, WorkerEvents.pause(handle.writer().nextSeq(), pause, clock.instant(), identity));
        }
    }

    void work(AgentEffect.Work work, RunIdentity identity) {
        Round round = work.round();
        hangs.warmUp();
        logs.firstRank(round.participant(settings.nodeId()).orElseThrow().firstRank());
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

    /** Closes the channels. Called outside the loop, which has ended. */
    void close() {
        for (Handle handle : current) {
            handle.writer().close();
        }
        hangs.close();
        upReader.close();
        memory.close();
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
