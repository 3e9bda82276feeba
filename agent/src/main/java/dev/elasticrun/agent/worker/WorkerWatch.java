/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.channel.UpChannelReader;
import dev.elasticrun.agent.config.DrainSignal;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.hang.HangLimits;
import dev.elasticrun.agent.hang.HangWatch;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.NodeFiles;
import dev.elasticrun.agent.launch.Timeouts;
import dev.elasticrun.agent.logs.ErrorFile;
import dev.elasticrun.agent.process.ExitDescription;
import dev.elasticrun.agent.process.GroupSignal;
import dev.elasticrun.agent.process.OomWatcher;
import dev.elasticrun.agent.process.StderrTail;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Heartbeat;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns changes of worker processes into events of the agent: their start, their messages, hangs, their end, and that
 * no process of them is left. Methods may be called by any thread; events are posted from several.
 */
final class WorkerWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerWatch.class);

    private final NodeFiles files;
    private final WorkerLogs logs;
    private final Consumer<AgentEvent> post;
    private final ResultKeeper results;
    private final ExitHoldback exitHoldback;
    private final OomWatcher memory = OomWatcher.start();
    private final UpChannelReader upReader = UpChannelReader.start(new Messages());
    private final HangWatch hangs;
    private final WorkerGauges gauges = new WorkerGauges();
    /** By slot, until they are ready. */
    private final Map<Integer, WorkerHandle> loading = new ConcurrentHashMap<>();

    WorkerWatch(AgentContext context, WorkerLogs logs, Consumer<AgentEvent> post, ResultKeeper results) {
        LaunchConfig config = context.config();
        this.files = context.files();
        this.logs = logs;
        this.post = post;
        this.results = results;
        this.exitHoldback = new ExitHoldback(DrainSignal.exitCodes(config.drainSignals()));
        Timeouts times = config.times();
        HangLimits limits = new HangLimits(times.hangTimeout(), times.pauseTimeout(), times.stragglerTimeout());
        this.hangs = new HangWatch(limits, context.runtimes()::hasEventLoop);
        if (limits.areAny()) {
            hangs.start();
        }
    }

    /** A worker is about to be started, and may send messages from its first moment on. */
    void expect(int slot, int attempt, ChannelLayout layout) {
        upReader.add(slot, attempt, layout);
        logs.follow(slot, attempt);
    }

    /** @param layout where the worker reports its progress, if it does */
    void follow(WorkerHandle worker, ChannelLayout layout) {
        int slot = worker.slot();
        int attempt = worker.attempt();
        loading.put(slot, worker);
        worker.process().whenComplete((started, error) -> {
            if (started == null) {
                ended(
                        slot,
                        attempt,
                        -1,
                        Failure.Evidence.of(FailureKind.NOT_STARTED, String.valueOf(error.getMessage())),
                        System.nanoTime());
                worker.endReported().complete(null);
                post.accept(new AgentEvent.WorkerGone(attempt, slot));
            } else {
                post.accept(new AgentEvent.WorkerStarted(attempt, slot, started.pid()));
                onStarted(worker, started, layout);
            }
        });
    }

    private void onStarted(WorkerHandle worker, WorkerProcess process, ChannelLayout layout) {
        int slot = worker.slot();
        int attempt = worker.attempt();
        gauges.add(slot, attempt, layout, process.pid());
        watchForHangs(slot, attempt, process, layout.heartbeat());
        memory.add(process.pid());
        process.exit()
                .thenCompose(code -> {
                    long nanos = System.nanoTime();
                    CompletableFuture<Void> heldBack = exitHoldback.of(nanos, code, worker.asked()::get);
                    Failure.Evidence end =
                            end(process.pid(), code, worker.asked().get());
                    return heldBack.thenCompose(due -> code == 0 ? handOver(slot, attempt, layout) : heldBack)
                            .thenRun(() -> ended(slot, attempt, code, end, nanos));
                })
                .whenComplete((ok, failure) -> worker.endReported().complete(null));
        CompletableFuture.allOf(worker.endReported(), process.groupGone()).whenComplete((ok, stuck) -> {
            logs.ended(slot, attempt);
            post.accept(
                    stuck == null
                            ? new AgentEvent.WorkerGone(attempt, slot)
                            : new AgentEvent.WorkersStuck(
                                    Map.of(slot, attempt),
                                    "worker " + slot + ": "
                                            + WorkerStops.cause(stuck).getMessage()));
        });
    }

    // Before the end is known: a run that succeeds has all results.
    private CompletableFuture<Void> handOver(int slot, int attempt, ChannelLayout layout) {
        return HandedFile.read(layout.result(), attempt)
                .map(result -> results.keep(slot, result))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    // A worker that hangs fails with its report: the policy decides about the others.
    private void watchForHangs(int slot, int attempt, WorkerProcess process, Path heartbeat) {
        HangWatch.Target target = new HangWatch.Target(
                heartbeat, process.pid(), files.stdout(slot, attempt), files.stderr(slot, attempt));
        hangs.add(slot, attempt, target, new HangWatch.Listener() {
            @Override
            public void onHang(Failure.Evidence hang) {
                post.accept(new AgentEvent.WorkerFault(attempt, slot, hang));
                process.signalGroup(GroupSignal.KILL);
            }

            @Override
            public void onLook(Heartbeat.View view) {
                gauges.looked(slot, attempt, view);
            }
        });
        process.exit().whenComplete((code, error) -> {
            hangs.remove(slot, attempt);
        });
    }

    /** How far the workers are; callable by any thread. */
    WorkerGauges gauges() {
        return gauges;
    }

    // How a worker ended. A worker that the agent killed was not killed by the kernel for lack of memory.
    private Failure.Evidence end(long pid, int exitCode, boolean asked) {
        String code = ExitDescription.describe(exitCode);
        return memory.explain(pid, exitCode)
                .filter(cause -> !asked)
                .map(cause -> Failure.Evidence.of(FailureKind.OUT_OF_MEMORY, code + ", " + cause))
                .orElseGet(() -> Failure.Evidence.of(FailureKind.ofExit(exitCode), code));
    }

    // On a thread of the launcher: the worker's last messages and values are read before its end is reported.
    private void ended(int slot, int attempt, int exitCode, Failure.Evidence end, long endNanos) {
        upReader.drain(slot, attempt);
        gauges.remove(slot, attempt);
        Path stderr = files.stderr(slot, attempt);
        ErrorFile file = exitCode == 0 ? new ErrorFile(null, "") : ErrorFile.read(files.error(slot, attempt));
        List<String> lastStderr = exitCode == 0 ? List.of() : lastLines(stderr, slot, attempt);
        String message = end.kind() == FailureKind.OUT_OF_MEMORY ? end.message() : file.message(end.message());
        post.accept(new AgentEvent.WorkerEnded(
                attempt,
                slot,
                exitCode,
                new Failure.Evidence(end.kind(), message, file.stack(), lastStderr, stderr.toString(), ""),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endNanos)));
    }

    private static List<String> lastLines(Path stderr, int slot, int attempt) {
        try {
            return StderrTail.read(stderr);
        } catch (IOException e) {
            LOG.warn("worker={} attempt={} the end of its log cannot be read: {}", slot, attempt, e.toString());
            return List.of();
        }
    }

    /** All workers are about to receive PAUSE. */
    void paused() {
        hangs.paused();
    }

    /**
     * All workers are about to receive WORK for that round.
     *
     * @param place of this node among those of the round, from 0
     */
    void working(long round, int place) {
        hangs.working(round, place);
    }

    /** Workers are being stopped: ends are reported at once. */
    void stopping() {
        exitHoldback.release();
    }

    /** The agent was asked to leave: what ends from now on was meant to. */
    void leaving() {
        exitHoldback.leaving();
    }

    // It began at a low priority if others worked meanwhile.
    private void raise(int slot, int attempt) {
        WorkerHandle worker = loading.remove(slot);
        if (worker != null && worker.attempt() == attempt) {
            worker.process().thenAccept(WorkerProcess::raise);
        }
    }

    @Override
    public void close() {
        hangs.close();
        upReader.close();
        memory.close();
    }

    private final class Messages implements UpChannelReader.Listener {
        @Override
        public void onMessage(int slot, int attempt, UpMessage message) {
            gauges.report(slot, attempt, message);
            if (message instanceof UpMessage.Ready) {
                raise(slot, attempt);
            }
            post.accept(new AgentEvent.WorkerReported(attempt, slot, message));
        }

        @Override
        public void onDamaged(int slot, int attempt, Path file, String problem) {
            LOG.warn("worker={} attempt={} wrote something unreadable, {}: {}", slot, attempt, file, problem);
        }
    }
}
