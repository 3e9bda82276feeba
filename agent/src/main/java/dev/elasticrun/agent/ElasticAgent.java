/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.logs.ConsoleMultiplexer;
import dev.elasticrun.agent.logs.EventLog;
import dev.elasticrun.agent.process.GroupProcessLauncher;
import dev.elasticrun.agent.process.RunDirectory;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RendezvousConfig;
import dev.elasticrun.rendezvous.RendezvousListener;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.Verdict;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent: wires the pure rules to processes, files and the rendezvous. All state belongs to the loop; everything
 * else posts events to it.
 */
final class ElasticAgent {
    private static final Logger LOG = LoggerFactory.getLogger(ElasticAgent.class);
    private static final int RUN_ID_BYTES = 6;
    private static final int INCARNATION_BYTES = 8;

    private final LaunchConfig config;
    private final String runId;
    private final NodeIdentity node;
    private final AgentSettings settings;
    private final AgentRules rules;
    private final RestartPolicyStrategy strategy;
    private final SecureRandom random;
    private final ThreadEventLoop loop;
    private final RunDirectory runDirectory;
    private final GroupProcessLauncher launcher;
    private final EventLog events;
    private final @Nullable ConsoleMultiplexer console;
    private final WorkerGroups groups;
    private final Ports ports = new Ports();
    private final CompletableFuture<LaunchResult> result = new CompletableFuture<>();
    private final String incarnation;
    private AgentState state;
    private @Nullable NodeRecord published;
    private @Nullable Rendezvous rendezvous;
    private @Nullable ControlPlane control;
    private StoreOpener.@Nullable Opened opened;
    private @Nullable Verdict verdict;
    private int drainRequests;
    private boolean finishing;

    ElasticAgent(LaunchConfig config) {
        this.config = config;
        this.random = new SecureRandom();
        this.runId = config.runId().orElseGet(() -> "run-" + hex(RUN_ID_BYTES));
        this.incarnation = hex(INCARNATION_BYTES);
        this.node = NodeIdentity.create(config, random);
        this.strategy = RestartPolicies.byName(config.restartPolicy());
        this.settings = new AgentSettings(
                node.nodeId(),
                node.hostLabel(),
                node.address(),
                config.nprocPerNode(),
                config.role(),
                config.maxRestarts(),
                strategy.workersOutliveRounds(),
                config.pauseTimeout(),
                config.shutdownTimeout());
        this.rules = new AgentRules(settings);
        this.state = AgentState.initial(settings);
        NodeFiles files = new NodeFiles(config.logDir(), runId, node.nodeId());
        this.loop = new ThreadEventLoop("agent-loop", this::onLoopError);
        try {
            this.runDirectory = RunDirectory.create(incarnation, node.nodeId());
            runDirectory.notices().forEach(LOG::warn);
            this.launcher = GroupProcessLauncher.create(
                    runDirectory.path(), pid -> LOG.warn("guard {} ended and was replaced", pid));
            this.events = EventLog.open(
                    files.events(), new EventLog.Origin(runId, "", node.nodeId()), Clock.systemUTC(), System::nanoTime);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the agent of node " + node.nodeId(), e);
        }
        this.console = config.console() ? ConsoleMultiplexer.start(System.out) : null;
        this.groups = new WorkerGroups(
                config, settings, runId, files, runDirectory, launcher, console, Clock.systemUTC(), this::post);
    }

    /** Begins; the future completes when the agent has ended and cleaned up. Call once. */
    CompletableFuture<LaunchResult> start() {
        LOG.info("run={} node={} logs={}", runId, node.nodeId(), config.logDir().resolve(runId));
        post(new AgentEvent.Launched());
        Thread opener = new Thread(this::join, "store-opener");
        opener.setDaemon(true);
        opener.start();
        return result;
    }

    /** Asks the agent to leave; asked a second time it stops waiting for anybody. */
    void drain(int exitCode) {
        loop.execute(() -> {
            drainRequests++;
            if (drainRequests == 1) {
                apply(new AgentEvent.DrainRequested(exitCode));
            } else {
                groups.force();
                apply(new AgentEvent.LeaveDue());
                if (finishing) {
                    complete(exitCode, "forced");
                }
            }
        });
    }

    private void join() {
        try {
            StoreOpener.Opened store = StoreOpener.open(config, runId, random);
            ControlPlane plane = ControlPlane.start(node, loop);
            loop.execute(() -> startRendezvous(store, plane));
        } catch (RuntimeException e) {
            int exitCode = e instanceof LaunchConfigException ? ExitCode.USAGE.code() : ExitCode.WORKER_FAILURE.code();
            String message = e instanceof LaunchConfigException ? String.valueOf(e.getMessage()) : e.toString();
            post(new AgentEvent.Aborted(exitCode, message));
        }
    }

    private void startRendezvous(StoreOpener.Opened store, ControlPlane plane) {
        opened = store;
        control = plane;
        if (store.server() != null) {
            LOG.info(
                    "run={} store={} for more agents on this host: --rdzv-backend embedded --rdzv-endpoint {} --run-id {}",
                    runId,
                    store.server().endpoint(),
                    store.server().endpoint(),
                    runId);
        }
        RendezvousConfig rendezvousConfig = new RendezvousConfig(
                runId,
                store.name(),
                config.minNodes(),
                config.maxNodes(),
                strategy.name(),
                "none",
                config.maxRestarts(),
                config.leaseTtl(),
                config.joinTimeout(),
                config.lastCallTimeout(),
                config.scaleUpDelay(),
                config.firstContactTimeout(),
                config.storeTimeout(),
                store.runKey(),
                store.keyInStore());
        NodeRecord record = state.toRecord(settings, plane.port());
        published = record;
        Rendezvous starting = new Rendezvous(
                store.store(), loop, rendezvousConfig, strategy, record, incarnation, random, new RendezvousEvents());
        rendezvous = starting;
        plane.attach(starting);
        if (!state.isEnding()) {
            starting.start();
        }
    }

    private void post(AgentEvent event) {
        loop.execute(() -> apply(event));
    }

    private void apply(AgentEvent event) {
        loop.assertInLoop();
        if (finishing) {
            return;
        }
        Transition transition = event.applyTo(rules, state);
        state = transition.state();
        if (!transition.reason().isEmpty()) {
            LOG.info("node={} {}", node.nodeId(), transition.reason());
        }
        publishRecord();
        for (AgentEffect effect : transition.effects()) {
            run(effect);
        }
    }

    private void publishRecord() {
        Rendezvous joined = rendezvous;
        ControlPlane plane = control;
        if (joined == null || plane == null) {
            return;
        }
        NodeRecord record = state.toRecord(settings, plane.port());
        if (!record.equals(published)) {
            published = record;
            joined.update(record);
        }
    }

    private void run(AgentEffect effect) {
        RunIdentity identity = state.identity();
        if (effect instanceof AgentEffect.ReservePorts reserve) {
            post(ports.reserve(reserve.workers() ? settings.slots() : 0));
        } else if (effect instanceof AgentEffect.StartGroup start) {
            groups.start(start.generation(), start.round(), identity, restartCount());
        } else if (effect instanceof AgentEffect.StopGroup stop) {
            groups.stop(stop.generation(), stop.grace());
        } else if (effect instanceof AgentEffect.Pause pause && identity != null) {
            groups.pause(pause, identity);
        } else if (effect instanceof AgentEffect.Work work && identity != null) {
            groups.work(work, identity);
        } else if (effect instanceof AgentEffect.Schedule schedule) {
            loop.schedule(schedule.delay(), () -> apply(schedule.event()));
        } else if (effect instanceof AgentEffect.Log log) {
            record(log.kind(), log.fields());
        } else if (effect instanceof AgentEffect.Finish finish) {
            finish(finish.exitCode(), finish.reason());
        } else {
            throw new IllegalStateException("cannot carry out " + effect + " before the run is joined");
        }
    }

    private int restartCount() {
        Round round = state.round();
        return round == null ? 0 : round.budgetUsed();
    }

    private void record(String kind, Map<String, ?> fields) {
        Round round = state.round();
        events.append(
                kind,
                round == null ? 0 : round.number(),
                round == null ? null : Long.toString(round.incident()),
                fields);
    }

    private void finish(int exitCode, String reason) {
        finishing = true;
        Rendezvous joined = rendezvous;
        ControlPlane plane = control;
        if (joined == null || plane == null) {
            complete(exitCode, reason);
            return;
        }
        plane.sayGoodbye(reason);
        boolean serving = opened != null && opened.server() != null;
        joined.leave(serving).whenComplete((ok, error) -> complete(exitCode, reason));
    }

    private void complete(int exitCode, String reason) {
        LaunchResult ended = LaunchResults.of(settings, state, verdict, exitCode, reason);
        Thread closer = new Thread(
                () -> {
                    close();
                    result.complete(ended);
                },
                "agent-closer");
        closer.setDaemon(true);
        closer.start();
    }

    /** In the order in which what is closed needs what is not yet. */
    private void close() {
        loop.close();
        groups.close();
        if (console != null) {
            console.close();
        }
        events.close();
        ports.close();
        launcher.close();
        ControlPlane plane = control;
        if (plane != null) {
            plane.close();
        }
        StoreOpener.Opened store = opened;
        if (store != null) {
            store.store().close();
            if (store.server() != null) {
                store.server().close();
            }
        }
        try {
            runDirectory.close();
        } catch (IOException e) {
            LOG.warn("cannot remove the run directory {}", runDirectory.path(), e);
        }
    }

    private void onLoopError(Throwable error) {
        LOG.error("node={} the agent's own error", node.nodeId(), error);
        apply(new AgentEvent.Aborted(ExitCode.WORKER_FAILURE.code(), "the agent's own error: " + error));
    }

    private String hex(int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }

    private void writeRunFile(RunIdentity identity) {
        StoreOpener.Opened store = opened;
        ControlPlane plane = control;
        if (store == null || plane == null) {
            return;
        }
        RunFile file = new RunFile(
                runId, identity.incarnation(), node.nodeId(), store.endpoints(), node.address() + ":" + plane.port());
        Thread writer = new Thread(
                () -> {
                    try {
                        runDirectory.writeRunFile(file.encode());
                    } catch (IOException e) {
                        LOG.warn("cannot write run.json, commands will not find this agent", e);
                    }
                },
                "run-file");
        writer.setDaemon(true);
        writer.start();
    }

    private final class RendezvousEvents implements RendezvousListener {
        @Override
        public void onJoined(RunIdentity identity, long createRevision) {
            events.joined(identity.incarnation());
            try {
                runDirectory.writeKey(identity.runKey());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write the run key", e);
            }
            ControlPlane plane = control;
            if (plane != null) {
                plane.joined(identity);
            }
            if (state.identity() == null) {
                writeRunFile(identity);
            }
            apply(new AgentEvent.Joined(identity, createRevision));
        }

        @Override
        public void onRound(Round round) {
            apply(new AgentEvent.RoundPublished(round));
        }

        @Override
        public void onVerdict(Verdict reached) {
            verdict = reached;
            apply(new AgentEvent.VerdictReached(reached));
        }

        @Override
        public void onLeaseDeadline(long deadlineNanos) {
            groups.leaseDeadline(deadlineNanos);
        }

        @Override
        public void onFenced() {
            apply(new AgentEvent.Fenced());
        }

        @Override
        public void onRestored(boolean stalled) {
            apply(new AgentEvent.Restored(stalled));
        }

        @Override
        public void onMembershipLost() {
            apply(new AgentEvent.MembershipLost());
        }

        @Override
        public void onCoordinator(NodeRecord coordinator) {
            record("coordinator.changed", Map.of("coordinator", coordinator.nodeId()));
            ControlPlane plane = control;
            if (plane != null) {
                plane.hold(coordinator);
            }
        }

        @Override
        public void onElected() {
            record("coordinator.elected", Map.of());
            ControlPlane plane = control;
            if (plane != null) {
                plane.release();
            }
        }

        @Override
        public void onRefused(String reason) {
            apply(new AgentEvent.Aborted(ExitCode.USAGE.code(), reason));
        }

        @Override
        public void onStoreLost(String reason) {
            apply(new AgentEvent.Aborted(ExitCode.STORE_LOST.code(), reason));
        }

        @Override
        public void onWaiting(String reason) {
            LOG.info("node={} coordinator: {}", node.nodeId(), reason);
        }

        @Override
        public void onDecided(Round decided, @Nullable Round previous) {
            Map<String, Object> fields = new HashMap<>();
            fields.put("cause", decided.cause());
            fields.put("next_round", decided.number());
            fields.put("suspended", decided.suspended());
            events.append("incident.detected", decided.number(), Long.toString(decided.incident()), fields);
        }

        @Override
        public void onPublished(Round round) {
            Map<String, Object> fields = new HashMap<>();
            fields.put("cause", round.cause());
            fields.put("world_size", round.worldSize());
            fields.put(
                    "nodes",
                    List.copyOf(
                            round.participants().stream().map(p -> p.nodeId()).toList()));
            fields.put("budget_used", round.budgetUsed());
            events.append(
                    round.suspended() ? "round.suspended" : "round.sealed",
                    round.number(),
                    Long.toString(round.incident()),
                    fields);
        }
    }
}
