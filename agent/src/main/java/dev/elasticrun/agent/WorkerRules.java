/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Failure;
import dev.elasticrun.rendezvous.NodePhase;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.PeerLost;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.WorldChange;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What an agent does about its workers. Pure. */
final class WorkerRules {
    /** Soft: failures before READY, in a row. */
    private static final int MAX_SOFT_START_FAILURES = 5;
    /** Hard: failures before the process ran, in a row. */
    private static final int MAX_HARD_START_FAILURES = 3;

    // Characters of a failure that travel to other nodes; the whole is in the log file.
    private static final int MAX_MESSAGE = 2000;
    private static final int MAX_STACK = 8000;
    private static final int MAX_LINE = 500;

    /**
     * Nearly always the loss itself is already being answered: a report by every peer would only delay that, and the
     * coordinator does nothing about it before a lease has passed.
     */
    private static final Duration PEER_LOST_DELAY = Duration.ofMillis(200);

    private static final Duration BACK_OFF = Duration.ofMillis(250);
    /** How long a node that cannot start its workers waits for the run to end before it leaves alone. */
    private static final Duration BROKEN_WAIT = Duration.ofSeconds(2);

    private final AgentSettings settings;
    private final EndRules endings;

    WorkerRules(AgentSettings settings, EndRules endings) {
        this.settings = settings;
        this.endings = endings;
    }

    Transition onStarted(AgentState state, AgentEvent.WorkerStarted event) {
        if (event.generation() != state.group().generation()) {
            return Transition.stay(state);
        }
        GroupState group = state.group().withWorker(event.slot(), worker -> worker.withPid(event.pid()));
        boolean allRan = group.workers().stream().allMatch(worker -> worker.pid() != 0);
        AgentState next = state.withGroup(group);
        return Transition.to(
                allRan && !settings.workersOutliveRounds()
                        ? next.copy().startFailures(0).build()
                        : next,
                "",
                log("worker.started", event.slot(), event.generation(), Map.of("pid", event.pid())));
    }

    Transition onSaid(AgentState state, AgentEvent.WorkerSaid event) {
        if (event.generation() != state.group().generation()) {
            return Transition.stay(state);
        }
        UpMessage message = event.message();
        GroupState group = state.group();
        int slot = event.slot();
        if (message instanceof UpMessage.Ready ready) {
            return onReady(state, slot, ready.port());
        } else if (message instanceof UpMessage.Ack ack) {
            AgentState next = state.withGroup(group.withWorker(slot, worker -> worker.withAcknowledged(ack.seq())))
                    .copy()
                    .latestVersion(ack.version())
                    .build();
            return Transition.to(
                    next,
                    "",
                    log(
                            "pause.acknowledged",
                            slot,
                            group.generation(),
                            Map.of("seq", ack.seq(), "version", ack.version(), "worker_nanos", ack.monotonicNanos())));
        } else if (message instanceof UpMessage.Resumed resumed) {
            return Transition.to(
                    state,
                    "",
                    log(
                            "worker.resumed",
                            slot,
                            group.generation(),
                            Map.of(
                                    "resumed_round", resumed.round(),
                                    "rank", rankOf(state, slot),
                                    "version", resumed.version(),
                                    "worker_nanos", resumed.monotonicNanos())));
        } else if (message instanceof UpMessage.Progress progress) {
            return Transition.stay(
                    state.copy().latestVersion(progress.version()).build());
        } else if (message instanceof UpMessage.PeerLost lost) {
            return onPeerLost(state, slot, lost);
        } else if (message instanceof UpMessage.Failure failure) {
            return Transition.stay(state.withGroup(
                    group.withWorker(slot, worker -> worker.withMessage(failure.message(), failure.stack()))));
        } else if (message instanceof UpMessage.StopRun stopRun) {
            Failure cause = failure(state, slot, -1, stopRun.message(), "", List.of(), "");
            return Transition.to(
                    state.stopRun() == null ? state.copy().stopRun(cause).build() : state,
                    "worker " + slot + " ends the run: " + stopRun.message(),
                    log("run.stop_requested", slot, group.generation(), Map.of("message", stopRun.message())));
        } else if (message instanceof UpMessage.ExcludeNode exclude) {
            return Transition.to(
                    state,
                    "worker " + slot + " wants this node out of the run: " + exclude.reason(),
                    log("node.exclude_requested", slot, group.generation(), Map.of("message", exclude.reason())));
        }
        throw new IllegalStateException("no rule for " + message);
    }

    private Transition onReady(AgentState state, int slot, int port) {
        GroupState group = state.group().withWorker(slot, worker -> worker.withReady(port));
        AgentState next = state.withGroup(group);
        AgentEffect log = log("worker.ready", slot, group.generation(), Map.of("port", port));
        boolean nodeReady = settings.workersOutliveRounds()
                && state.phase() == NodePhase.STARTING
                && group.running()
                && group.allReady();
        return nodeReady
                ? Transition.to(next.withPhase(NodePhase.READY), "all workers are ready", log)
                : Transition.to(next, "", log);
    }

    private Transition onPeerLost(AgentState state, int slot, UpMessage.PeerLost lost) {
        PeerLost report = new PeerLost(lost.round(), rankOf(state, slot), lost.rank());
        return Transition.to(
                state.withGroup(state.group().withWorker(slot, worker -> worker.withLostPeer(lost.round()))),
                "",
                log(
                        "peer.lost",
                        slot,
                        state.group().generation(),
                        Map.of("lost_rank", lost.rank(), "lost_round", lost.round())),
                new AgentEffect.Schedule(PEER_LOST_DELAY, new AgentEvent.PeerLostDue(report)));
    }

    Transition onPeerLostDue(AgentState state, PeerLost report) {
        Round round = state.round();
        if (state.isEnding() || round == null || round.number() != report.round()) {
            return Transition.stay(state);
        }
        List<PeerLost> reports = new ArrayList<>(state.peersLost());
        reports.add(report);
        return Transition.stay(state.copy().peersLost(reports).build());
    }

    Transition onEnded(AgentState state, AgentEvent.WorkerEnded event) {
        GroupState before = state.group();
        if (event.generation() != before.generation()
                || before.workers().get(event.slot()).exitCode() != null) {
            return Transition.stay(state);
        }
        GroupState group = before.withWorker(event.slot(), worker -> worker.withExit(event.exitCode()));
        AgentEffect log = log(
                "worker.exited",
                event.slot(),
                event.generation(),
                Map.of(
                        "exit_code",
                        event.exitCode(),
                        "pid",
                        before.workers().get(event.slot()).pid()));
        boolean expected = state.isEnding() || before.phase() == GroupState.Phase.STOPPING;
        if (expected) {
            return Transition.to(state.withGroup(group), "", log);
        }
        if (event.exitCode() == 0) {
            AgentState next = state.withGroup(group);
            return group.allSucceeded()
                    ? Transition.to(
                            next.copy()
                                    .phase(NodePhase.DONE)
                                    .workingRound(0)
                                    .acknowledged(next.acknowledged())
                                    .build(),
                            "all workers ended with exit code 0",
                            log)
                    : Transition.to(next, "", log);
        }
        Failure failure = failure(
                state,
                event.slot(),
                event.exitCode(),
                event.message(),
                event.stack(),
                event.lastStderr(),
                event.logFile());
        AgentEffect detected = new AgentEffect.Log(
                "incident.detected",
                Map.of(
                        "cause", "worker failed",
                        "slot", event.slot(),
                        "rank", failure.rank(),
                        "exit_code", event.exitCode(),
                        "message", failure.message()));
        Transition failed = Transition.to(
                state.withGroup(group.withFailure(failure)),
                "worker " + event.slot() + " failed: " + failure.message(),
                log,
                detected);
        return failed.then(onFailed(failed.state()));
    }

    /** One of the workers failed: what becomes of the others of this node. */
    private Transition onFailed(AgentState state) {
        if (!settings.workersOutliveRounds() && state.group().worked() && !neverRan(state)) {
            // The coordinator stops all nodes, this one too.
            return Transition.stay(state);
        }
        GroupState stopping = state.group().withPhase(GroupState.Phase.STOPPING);
        boolean worked = stopping.worked() && settings.workersOutliveRounds();
        AgentState next = state.copy()
                .group(stopping)
                .workingRound(0)
                .phase(NodePhase.STARTING)
                .startFailures(worked ? 0 : state.startFailures() + 1)
                .build();
        return Transition.to(
                next,
                "stopping the workers of this node",
                new AgentEffect.StopGroup(stopping.generation(), settings.shutdownTimeout()));
    }

    Transition onPauseExpired(AgentState state, AgentEvent.PauseExpired event) {
        GroupState group = state.group();
        if (event.generation() != group.generation() || !group.running() || state.isEnding()) {
            return Transition.stay(state);
        }
        List<WorkerView> silent = group.workers().stream()
                .filter(worker -> worker.running() && worker.ready() && worker.acknowledged() < event.seq())
                .toList();
        if (silent.isEmpty()) {
            return Transition.stay(state);
        }
        GroupState failed = group;
        for (WorkerView worker : silent) {
            failed = failed.withFailure(failure(
                    state,
                    worker.slot(),
                    -1,
                    "no acknowledgement of PAUSE within "
                            + settings.pauseTimeout().toSeconds() + " s",
                    "",
                    List.of(),
                    ""));
        }
        String slots =
                silent.stream().map(worker -> Integer.toString(worker.slot())).collect(Collectors.joining(", "));
        Transition noticed = Transition.to(
                state.withGroup(failed),
                "workers " + slots + " did not acknowledge PAUSE within "
                        + settings.pauseTimeout().toSeconds() + " s",
                new AgentEffect.Log("incident.detected", Map.of("cause", "PAUSE not acknowledged", "slots", slots)));
        return noticed.then(onFailed(noticed.state()));
    }

    Transition onGroupGone(AgentState state, int generation) {
        GroupState group = state.group();
        if (generation != group.generation()) {
            return Transition.stay(state);
        }
        AgentState gone = state.withGroup(group.withPhase(GroupState.Phase.GONE));
        AgentEffect log = new AgentEffect.Log("workers.gone", Map.of("generation", generation));
        if (state.isEnding()) {
            Transition noted = Transition.to(gone, "", log);
            return noted.then(endings.onGroupGone(gone));
        }
        if (group.phase() != GroupState.Phase.STOPPING) {
            return Transition.to(state, "", log);
        }
        Transition noted = Transition.to(gone, "", log);
        return noted.then(afterStop(gone));
    }

    private Transition afterStop(AgentState state) {
        int limit = settings.workersOutliveRounds() ? MAX_SOFT_START_FAILURES : MAX_HARD_START_FAILURES;
        if (state.startFailures() >= limit) {
            return Transition.to(
                    state.withPhase(NodePhase.BROKEN),
                    "workers failed to start " + limit + " times in a row",
                    new AgentEffect.Schedule(
                            BROKEN_WAIT,
                            new AgentEvent.Aborted(
                                    EndRules.WORKER_FAILURE, "workers failed to start " + limit + " times in a row")));
        }
        if (state.startFailures() > 0) {
            Duration delay = BACK_OFF.multipliedBy(1L << (state.startFailures() - 1));
            return Transition.to(
                    state,
                    "starting workers again in " + delay.toMillis() + " ms",
                    new AgentEffect.Schedule(
                            delay, new AgentEvent.RestartDue(state.group().generation())));
        }
        if (!settings.workersOutliveRounds()) {
            return renew(state, settings, "all processes of the round are gone");
        }
        if (forgotten(state, settings)) {
            return restart(state, settings, "no round knows us");
        }
        Round round = state.round();
        if (round == null
                || round.order(settings.nodeId())
                        .filter(order -> order.generation() == state.group().generation())
                        .isEmpty()) {
            return Transition.to(state, "waiting for orders");
        }
        return restart(state, settings, "ordered by round " + round.number());
    }

    /**
     * Whether a failed group waits for orders that nobody will give: the newest round has neither a place nor an order
     * for it, because the node was lost before its failure was seen, or stood by.
     */
    static boolean forgotten(AgentState state, AgentSettings settings) {
        Round round = state.round();
        int generation = state.group().generation();
        return round != null
                && state.group().phase() == GroupState.Phase.GONE
                && state.phase() == NodePhase.STARTING
                && state.startFailures() == 0
                && state.place(round, settings.nodeId()).isEmpty()
                && round.order(settings.nodeId())
                        .filter(order -> order.generation() == generation)
                        .isEmpty();
    }

    Transition onRestartDue(AgentState state, int generation) {
        boolean due = generation == state.group().generation()
                && state.group().phase() == GroupState.Phase.GONE
                && !state.isEnding();
        if (!due) {
            return Transition.stay(state);
        }
        return settings.workersOutliveRounds()
                ? restart(state, settings, "starting again")
                : renew(state, settings, "starting again");
    }

    /** Soft: a fresh group, at once. */
    static Transition restart(AgentState state, AgentSettings settings, String reason) {
        int generation = state.group().generation() + 1;
        GroupState fresh = GroupState.pending(generation, settings.slots(), List.of())
                .withPhase(GroupState.Phase.RUNNING)
                .withFailures(state.group().failures());
        AgentState next = state.copy()
                .group(fresh)
                .phase(NodePhase.STARTING)
                .workingRound(0)
                .build();
        Transition started =
                Transition.to(next, "starting fresh workers: " + reason, new AgentEffect.StartGroup(generation, null));
        return next.identity() == null
                ? started
                : started.then(RoundRules.pause(settings, next, WorldChange.NONE, "no round yet"));
    }

    /** Hard: the next group, which waits for its round. */
    static Transition renew(AgentState state, AgentSettings settings, String reason) {
        GroupState fresh = GroupState.pending(state.group().generation() + 1, settings.slots(), List.of())
                .withFailures(state.group().failures());
        AgentState next = state.copy()
                .group(fresh)
                .phase(NodePhase.STARTING)
                .workingRound(0)
                .build();
        return Transition.to(next, reason, new AgentEffect.ReservePorts(true));
    }

    private static boolean neverRan(AgentState state) {
        return state.group().failures().stream()
                .filter(failure -> failure.attempt() == state.group().generation())
                .allMatch(failure -> failure.pid() == 0);
    }

    private Failure failure(
            AgentState state,
            int slot,
            int exitCode,
            String message,
            String stack,
            List<String> lastStderr,
            String logFile) {
        WorkerView worker = state.group().workers().get(slot);
        boolean collateral = state.workingRound() > 0 && worker.lostPeerRound() == state.workingRound();
        return new Failure(
                settings.nodeId(),
                settings.hostLabel(),
                state.workingRound(),
                slot,
                state.group().generation(),
                rankOf(state, slot),
                worker.pid(),
                exitCode,
                shortened(worker.message().isEmpty() ? message : worker.message(), MAX_MESSAGE),
                shortened(worker.stack().isEmpty() ? stack : worker.stack(), MAX_STACK),
                lastStderr.stream().map(line -> shortened(line, MAX_LINE)).toList(),
                logFile,
                collateral);
    }

    private static String shortened(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit) + " ...";
    }

    private int rankOf(AgentState state, int slot) {
        Round round = state.round();
        if (round == null) {
            return -1;
        }
        return round.participant(settings.nodeId())
                .filter(place -> place.generation() == state.group().generation())
                .map(Participant::firstRank)
                .map(first -> first + slot)
                .orElse(-1);
    }

    private static AgentEffect.Log log(String kind, int slot, int generation, Map<String, Object> more) {
        Map<String, Object> fields = new HashMap<>(more);
        fields.put("slot", slot);
        fields.put("attempt", generation);
        return new AgentEffect.Log(kind, fields);
    }
}
