/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.config.EngineChoice;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.directory.AgentDirectories;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LogDirectories;
import dev.elasticrun.agent.launch.TimeoutHierarchy;
import dev.elasticrun.agent.logs.EventLog;
import dev.elasticrun.agent.observe.AgentJournal;
import dev.elasticrun.agent.observe.IncidentLines;
import dev.elasticrun.agent.process.GroupProcessLauncher;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.rules.AgentRules;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.CopyRules;
import dev.elasticrun.agent.tls.CertificateEnd;
import dev.elasticrun.agent.trainer.TrainerEndpoint;
import dev.elasticrun.agent.worker.PortRetries;
import dev.elasticrun.agent.worker.Ports;
import dev.elasticrun.agent.worker.RoundPreparation;
import dev.elasticrun.agent.worker.WorkerGroups;
import dev.elasticrun.agent.worker.WorkerLogs;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One agent: wires its parts together, carries out effects, and takes all down in order at the end. */
final class ElasticAgent {
    private static final Logger LOG = LoggerFactory.getLogger(ElasticAgent.class);

    private final AgentContext context;
    private final ThreadEventLoop loop;
    private final AgentDirectories directories;
    private final ProcessLauncher launcher;
    private final AgentWeb web;
    private final AgentTelemetry telemetry;
    private final AgentJournal journal;
    private final WorkerLogs logs;
    private final WorkerGroups groups;
    private final Ports ports;
    private final PortRetries portRetries;
    private final RoundPreparation preparation;
    private final AgentMachine machine;
    private final NodeRendezvous rendezvous;
    private final NodeResults results;
    private final PendingOrder pending = new PendingOrder();
    private final NodeCheckpoints nodeCheckpoints;
    private final CheckpointCopies copies;
    private final ConsoleReporter news;
    private final MetricReporter metrics;
    private final CurveReporter curves;
    private final Optional<TrainerReporter> trainer;
    private final CompletableFuture<LaunchResult> outcome = new CompletableFuture<>();
    private final CompletableFuture<LaunchResult> result = new CompletableFuture<>();
    private int drainRequests;

    /**
     * @param startedNanos when the start was requested, by {@code System.nanoTime}
     * @param workers what starts workers, from what starts processes of this agent
     */
    ElasticAgent(
            LaunchConfig config, long startedNanos, LaunchListener listener, UnaryOperator<ProcessLauncher> workers) {
        this.context = AgentContext.of(config, startedNanos);
        listener.named(context.runId(), context.nodeId());
        this.loop = new ThreadEventLoop("agent-loop", this::onLoopError);
        this.web = new AgentWeb(context);
        this.telemetry = new AgentTelemetry(context);
        this.journal = openJournal(listener);
        this.directories = makeDirectories();
        this.launcher = workers.apply(startLauncher());
        this.logs = WorkerLogs.start(context);
        this.ports = new Ports(context.place(), context.runtimes().chosen().servesMasterEndpoint());
        this.preparation = new RoundPreparation(
                config.workers().runtime(),
                context.runtimes().chosen(),
                context.nodeId(),
                ports,
                directories.run().path());
        this.machine =
                new AgentMachine(loop, new AgentRules(context.settings()), (state, event) -> publish(state), this::run);
        this.portRetries = new PortRetries(loop, ports::reserve, machine::post);
        this.results = new NodeResults(context.nodeId(), loop, machine::state, this::joined);
        this.groups = new WorkerGroups(
                context, loop, directories, launcher, preparation, logs, this::posted, results, this::record);
        this.nodeCheckpoints = new NodeCheckpoints(
                loop,
                pending,
                directories.checkpoints(),
                context.tls(),
                config.times().stateWait(),
                this::record);
        CopyRules copyRules =
                new CopyRules(context.nodeId(), config.checkpoints().replicas());
        this.copies = new CheckpointCopies(
                loop,
                copyRules,
                machine,
                new CopyTransfer(loop, context.nodeId(), directories.checkpoints(), context.tls()),
                this::record);
        this.rendezvous = new NodeRendezvous(context, loop, directories, copyRules, groups, journal, machine, web);
        GaugeReads gauges = new GaugeReads(loop, groups.gauges()::read);
        this.news = new ConsoleReporter(context.settings(), loop, machine, rendezvous::surroundings, gauges, listener);
        this.metrics = new MetricReporter(context.nodeId(), loop, machine, gauges, groups.gauges(), this::record);
        this.curves = new CurveReporter(loop, gauges, rendezvous::status, web.observer(), web.curveLog());
        this.trainer = trainer(System.getenv());
    }

    // The rendezvous is made after the parts that it needs.
    private Optional<Rendezvous> joined() {
        return rendezvous.joined();
    }

    /** Empty where no Trainer asks for the progress, or variables of engines are not read. */
    private Optional<TrainerReporter> trainer(Map<String, String> environment) {
        EngineChoice engine = context.config().get(Settings.ENGINE);
        if (engine != EngineChoice.AUTO && engine != EngineChoice.KUBERNETES) {
            return Optional.empty();
        }
        try {
            return TrainerEndpoint.of(environment)
                    .map(endpoint -> new TrainerReporter(
                            context.nodeId(),
                            endpoint,
                            loop,
                            machine::state,
                            groups.gauges()::read,
                            Clock.systemUTC()));
        } catch (IllegalArgumentException e) {
            LOG.warn("node={} no progress is sent to Trainer: {}", context.nodeId(), e.getMessage());
            return Optional.empty();
        }
    }

    private AgentJournal openJournal(LaunchListener listener) {
        try {
            LogDirectories.make(context.files());
            LogDirectories.warning(context.config().logs().directory()).ifPresent(LOG::warn);
            return new AgentJournal(
                    EventLog.open(
                            context.files().events(),
                            new EventLog.Origin(context.runId(), "", context.nodeId()),
                            Clock.systemUTC(),
                            System::nanoTime,
                            (time, line) -> listener.event(LaunchEvent.of(time, line))),
                    new IncidentLines(
                            context.runId(),
                            context.settings(),
                            context.config().size().minNodes()),
                    web.observer(),
                    loop,
                    telemetry::incident);
        } catch (IOException e) {
            throw cannotStart(e);
        }
    }

    private AgentDirectories makeDirectories() {
        try {
            AgentDirectories made = AgentDirectories.create(
                    context.incarnation(), context.nodeId(), context.settings().processes());
            made.notices().forEach(LOG::warn);
            return made;
        } catch (IOException e) {
            journal.close();
            throw cannotStart(e);
        }
    }

    private GroupProcessLauncher startLauncher() {
        try {
            return GroupProcessLauncher.create(
                    directories.paths(), pid -> LOG.warn("guard {} ended and was replaced", pid));
        } catch (IOException e) {
            journal.close();
            removeDirectories();
            throw cannotStart(e);
        }
    }

    private UncheckedIOException cannotStart(IOException cause) {
        loop.close();
        return new UncheckedIOException("cannot start the agent of node " + context.nodeId(), cause);
    }

    private void removeDirectories() {
        try {
            directories.close();
        } catch (IOException e) {
            LOG.warn("cannot remove the directories of this agent", e);
        }
    }

    /** In the loop. */
    private void record(RunEvent event) {
        journal.record(event, machine.state().round());
    }

    private void publish(AgentState state) {
        preparation.on(state.round());
        rendezvous.publish(state);
        web.observer().onState(state);
    }

    String runId() {
        return context.runId();
    }

    String nodeId() {
        return context.nodeId();
    }

    Path logDirectory() {
        return context.runLogs();
    }

    Optional<URI> dashboard() {
        return web.dashboard();
    }

    /** Begins; the future completes when the agent has ended and cleaned up. Call once. */
    CompletableFuture<LaunchResult> start() {
        if (LOG.isDebugEnabled()) {
            LOG.debug("times:{}", TimeoutHierarchy.of(context.config().times()).describe());
        }
        LOG.info("run={} node={} logs={}", context.runId(), context.nodeId(), context.runLogs());
        if (context.config().policy().isDefault()) {
            LOG.info("{}", context.config().policy().text());
        }
        if (context.config().api().isMissing()) {
            LOG.warn(
                    "node={} {} refers to the worker API, and nothing in its class path has it (expected:"
                            + " elastic-run-worker-api.jar in --class-path, or next to the command's jar)",
                    context.nodeId(),
                    context.config().api().place().map(Path::toString).orElse(""));
        }
        startCloser();
        machine.post(new AgentEvent.Launched());
        AgentWeb.Sources sources = new AgentWeb.Sources(
                rendezvous::run,
                this::describe,
                rendezvous::nodeStatus,
                rendezvous::events,
                rendezvous::curves,
                journal::dropped,
                rendezvous.desk().orElseThrow(),
                rendezvous.refusals()::call);
        telemetry.open(to -> web.send(sources, to));
        web.open(sources, reason -> machine.post(new AgentEvent.Aborted(ExitCode.USAGE.code(), reason)));
        loop.execute(news::start);
        loop.execute(metrics::start);
        loop.execute(curves::start);
        trainer.ifPresent(reporter -> loop.execute(reporter::start));
        loop.execute(copies::start);
        CertificateWatch certificates = new CertificateWatch(loop, Clock.systemUTC(), this::record);
        List<CertificateEnd> ends = CertificateWatch.ends(context.config().tls());
        loop.execute(() -> certificates.start(ends));
        Daemons.start("store-opener", rendezvous::open);
        return result;
    }

    /** As {@link NodeRendezvous#adopted}, once the agent has ended. */
    Optional<Boolean> adopted() {
        return rendezvous.adopted();
    }

    /** The whole run, by any thread; completes exceptionally before it is joined, and may never complete after its end. */
    CompletableFuture<LaunchStatus> status() {
        return rendezvous.run().thenApply(run -> LaunchStatus.of(run.status()));
    }

    /** Has the whole run execute a command; any thread. May never complete after the end. */
    CompletableFuture<CommandDesk.Outcome> ask(Command command) {
        return rendezvous
                .desk()
                .orElseThrow()
                .ask(command, new CommandDesk.Asking("this program", "", false, progress -> {}));
    }

    private CompletableFuture<RunDescription> describe() {
        CompletableFuture<RunDescription> described = new CompletableFuture<>();
        loop.execute(() -> rendezvous.describe().whenComplete((run, error) -> {
            if (error == null) {
                described.complete(run);
            } else {
                described.completeExceptionally(error);
            }
        }));
        return described;
    }

    /** Asks the agent to leave; the second call ends all waiting. */
    void drain(int exitCode) {
        if (outcome.isDone()) {
            logs.abandon();
            return;
        }
        loop.execute(() -> {
            drainRequests++;
            if (drainRequests == 1) {
                machine.apply(new AgentEvent.DrainRequested(exitCode));
                groups.leaving();
            } else {
                groups.force();
                machine.apply(new AgentEvent.LeaveDue());
                if (machine.stopped()) {
                    complete(exitCode, "forced");
                }
            }
        });
    }

    /** Called by any thread. */
    private void posted(AgentEvent event) {
        web.observer().onPosted(event);
        if (event instanceof AgentEvent.WorkerEnded ended && ended.exitCode() >= 0) {
            // A worker leaves a newer checkpoint than it reported, and the next round is formed by what the record has.
            nodeCheckpoints.newest().ifPresent(held -> machine.post(new AgentEvent.CheckpointHeld(held)));
        }
        machine.post(event);
    }

    private void run(AgentEffect effect) {
        AgentState state = machine.state();
        Round round = state.round();
        RunIdentity identity = state.identity();
        if (effect instanceof AgentEffect.ReservePorts reserve) {
            portRetries.reserve(reserve.workers() ? context.settings().slots() : 0);
        } else if (effect instanceof AgentEffect.StartGroup start) {
            int restarts = round == null ? 0 : round.restarts();
            nodeCheckpoints.before(start, identity, () -> groups.start(start, identity, restarts));
        } else if (effect instanceof AgentEffect.ReplaceWorkers replace) {
            groups.replace(replace, identity, round == null ? 0 : round.restarts(), state.workingRound() > 0);
        } else if (effect instanceof AgentEffect.KillWorker kill) {
            groups.kill(kill.slot(), kill.attempt());
        } else if (effect instanceof AgentEffect.StopGroup stop) {
            pending.cancel();
            groups.stop(stop.generation(), stop.grace());
        } else if (effect instanceof AgentEffect.Pause pause && identity != null) {
            pending.overtake();
            groups.pause(pause, identity);
        } else if (effect instanceof AgentEffect.Work work && identity != null) {
            nodeCheckpoints.before(
                    work, identity, () -> groups.work(work, identity), () -> groups.pause(work.overtaken(), identity));
        } else if (effect instanceof AgentEffect.NoteCheckpoint note) {
            rendezvous.checkpointed(note.newest());
        } else if (effect instanceof AgentEffect.Schedule schedule) {
            machine.later(schedule.delay(), schedule.event());
        } else if (effect instanceof AgentEffect.Log log) {
            journal.record(groups.gauges().completed(log.event()), round);
            if (log.event() instanceof RunEvent.WorkerExited exit) {
                metrics.ended(exit.worker());
            }
        } else if (effect instanceof AgentEffect.Finish finish) {
            machine.stop();
            results.collect(finish.exitCode(), Optional.ofNullable(rendezvous.verdict()))
                    .thenCompose(known -> rendezvous.leave(finish.reason()))
                    .whenComplete((ok, error) -> complete(finish.exitCode(), finish.reason()));
        } else {
            throw new IllegalStateException("cannot carry out " + effect + " before the run is joined");
        }
    }

    private void complete(int exitCode, String reason) {
        try {
            record(new RunEvent.AgentEnded(exitCode, reason));
        } finally {
            // Also where nothing can be recorded: an agent that ends has an outcome.
            outcome.complete(LaunchResults.of(
                    context,
                    machine.state(),
                    rendezvous.verdict(),
                    rendezvous.history(),
                    results.found(),
                    web.observer(),
                    exitCode,
                    reason));
        }
    }

    /** Exists from the start: an agent may end because no thread can be made. */
    private void startCloser() {
        Daemons.start("agent-closer", () -> {
            LaunchResult ended = outcome.join();
            try {
                if (ended.exitCode() == 0) {
                    trainer.ifPresent(TrainerReporter::succeeded);
                }
                close();
            } finally {
                result.complete(ended);
            }
        });
    }

    // Order: each component is closed before those that it needs.
    private void close() {
        closeAll(List.of(
                web::close,
                telemetry::close,
                loop::close,
                groups::close,
                logs::close,
                journal::close,
                preparation::close,
                ports::close,
                launcher::close,
                rendezvous::close,
                this::removeDirectories));
    }

    /** One part that cannot be closed, as a file on a full disk, must not leave workers and directories behind. */
    static void closeAll(List<Runnable> parts) {
        for (Runnable part : parts) {
            try {
                part.run();
            } catch (RuntimeException e) {
                LOG.warn("a part of the agent cannot be closed", e);
            }
        }
    }

    private void onLoopError(Throwable error) {
        if (error instanceof CorruptRecordException) {
            machine.apply(new AgentEvent.Aborted(ExitCode.STORE_LOST.code(), String.valueOf(error.getMessage())));
            return;
        }
        LOG.error("node={} the agent's own error", context.nodeId(), error);
        Thread.UncaughtExceptionHandler last = Thread.getDefaultUncaughtExceptionHandler();
        if (error instanceof OutOfMemoryError && last != null) {
            // No memory, or no threads: the command ends here, and leaves the workers to the guard.
            last.uncaughtException(Thread.currentThread(), error);
        }
        machine.apply(new AgentEvent.Aborted(ExitCode.WORKER_FAILURE.code(), "the agent's own error: " + error));
    }
}
