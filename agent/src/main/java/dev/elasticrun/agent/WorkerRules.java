/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Failure;
import dev.elasticrun.rendezvous.NodePhase;
import dev.elasticrun.rendezvous.PeerLost;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;
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
    static final int MAX_SOFT_START_FAILURES = 5;
    /** Hard: failures before the process ran, in a row. */
    private static final int MAX_HARD_START_FAILURES = 3;

    /**
     * Nearly always the loss itself is already being answered: a report by every peer would only delay that, and the
     * coordinator does nothing about it before a lease has passed.
     */
    private static final Duration PEER_LOST_DELAY = Duration.ofMillis(200);

    private static final Duration BACK_OFF = Duration.ofMillis(250);
    /** JVMs that start keep a machine's processors busy: survivors beside them re-form first, and nobody waits for these. */
    private static final Duration SURVIVORS_FIRST = Duration.ofMillis(100);

    /** How long a node that cannot start its workers waits for the run to end before it leaves alone. */
    private static final Duration BROKEN_WAIT = Duration.ofSeconds(2);

    private final AgentSettings settings;
    private final EndRules endings;
    private final ReplaceRules replacements;
    private final WorkerFailures failures;

    WorkerRules(AgentSettings settings, EndRules endings, ReplaceRules replacements) {
        this.settings = settings;
        this.endings = endings;
        this.replacements = replacements;
        this.failures = new WorkerFailures(settings);
    }

    Transition onStarted(AgentState state, AgentEvent.WorkerStarted event) {
        if (event.attempt() != attempt(state, event.slot())) {
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
                log("worker.started", event.slot(), event.attempt(), Map.of("pid", event.pid())));
    }

    Transition onSaid(AgentState state, AgentEvent.WorkerSaid event) {
        if (event.attempt() != attempt(state, event.slot())) {
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
                            attempt(state, slot),
                            Map.of("seq", ack.seq(), "version", ack.version(), "worker_nanos", ack.monotonicNanos())));
        } else if (message instanceof UpMessage.Resumed resumed) {
            return Transition.to(
                    state,
                    "",
                    log(
                            "worker.resumed",
                            slot,
                            attempt(state, slot),
                            Map.of(
                                    "resumed_round", resumed.round(),
                                    "rank", failures.rankOf(state, slot),
                                    "version", resumed.version(),
                                    "worker_nanos", resumed.monotonicNanos())));
        } else if (message instanceof UpMessage.Progress progress) {
            return Transition.stay(
                    state.copy().latestVersion(progress.version()).build());
        } else if (message instanceof UpMessage.PeerLost lost) {
            return onPeerLost(state, slot, lost);
        } else if (message instanceof UpMessage.Failure failure) {
            return Transition.stay(state.withGroup(
                    group.withWorker(slot, worker -> worker.withWords(failure.message(), failure.stack()))));
        } else if (message instanceof UpMessage.StopRun stopRun) {
            Failure cause = failures.of(state, slot, -1, stopRun.message(), "", List.of(), "");
            return Transition.to(
                    state.stopRun() == null ? state.copy().stopRun(cause).build() : state,
                    "worker " + slot + " ends the run: " + stopRun.message(),
                    log("run.stop_requested", slot, attempt(state, slot), Map.of("message", stopRun.message())));
        } else if (message instanceof UpMessage.ExcludeNode exclude) {
            String reason = WorkerFailures.line(exclude.reason().isBlank() ? "no reason given" : exclude.reason());
            return Transition.to(
                    state.excluded().isEmpty() ? state.copy().excluded(reason).build() : state,
                    "worker " + slot + " wants this node out of the run: " + exclude.reason(),
                    log("node.exclude_requested", slot, attempt(state, slot), Map.of("message", exclude.reason())));
        }
        throw new IllegalStateException("no rule for " + message);
    }

    private Transition onReady(AgentState state, int slot, int port) {
        GroupState group = state.group().withWorker(slot, worker -> worker.withReady(port));
        AgentState next = state.withGroup(group);
        AgentEffect log = log("worker.ready", slot, attempt(state, slot), Map.of("port", port));
        boolean nodeReady = settings.workersOutliveRounds()
                && state.phase() == NodePhase.STARTING
                && group.running()
                && group.allReady();
        return nodeReady
                ? Transition.to(next.withPhase(NodePhase.READY), "all workers are ready", log)
                : Transition.to(next, "", log);
    }

    private Transition onPeerLost(AgentState state, int slot, UpMessage.PeerLost lost) {
        PeerLost report = new PeerLost(lost.round(), failures.rankOf(state, slot), lost.rank());
        GroupState group = state.group();
        Transition noted = Transition.to(
                state.withGroup(group.withWorker(slot, worker -> worker.withLostPeer(lost.round()))),
                "",
                log(
                        "peer.lost",
                        slot,
                        attempt(state, slot),
                        Map.of("lost_rank", lost.rank(), "lost_round", lost.round())));
        // Said before it saw that PAUSE: when the lease was in doubt, WORK for the same round has followed.
        boolean answered =
                settings.workersOutliveRounds() && group.workers().get(slot).acknowledged() < group.eventSeq() - 1;
        return answered
                ? noted
                : noted.and(new AgentEffect.Schedule(
                        PEER_LOST_DELAY, new AgentEvent.PeerLostDue(report, group.eventSeq())));
    }

    Transition onPeerLostDue(AgentState state, AgentEvent.PeerLostDue due) {
        Round round = state.round();
        boolean answered = state.group().eventSeq() != due.eventSeq();
        boolean paused = settings.workersOutliveRounds() && state.workingRound() == 0;
        if (state.isEnding()
                || answered
                || paused
                || round == null
                || round.number() != due.report().round()) {
            return Transition.stay(state);
        }
        List<PeerLost> reports = new ArrayList<>(state.peersLost());
        reports.add(due.report());
        return Transition.stay(state.copy().peersLost(reports).build());
    }

    Transition onEnded(AgentState state, AgentEvent.WorkerEnded event) {
        GroupState before = state.group();
        if (event.attempt() != attempt(state, event.slot())
                || before.workers().get(event.slot()).exitCode() != null) {
            return Transition.stay(state);
        }
        GroupState group = before.withWorker(event.slot(), worker -> worker.withExit(event.exitCode()));
        AgentEffect log = log(
                "worker.exited",
                event.slot(),
                event.attempt(),
                Map.of(
                        "exit_code",
                        event.exitCode(),
                        "pid",
                        before.workers().get(event.slot()).pid()));
        boolean expected = state.isEnding()
                || before.phase() == GroupState.Phase.STOPPING
                || before.workers().get(event.slot()).is(WorkerView.Mark.CONDEMNED);
        if (expected) {
            return Transition.to(state.withGroup(group), "", log);
        }
        if (event.exitCode() == 0) {
            AgentState next = state.withGroup(group);
            return group.allSucceeded()
                    ? Transition.to(
                            next.copy().phase(NodePhase.DONE).workingRound(0).build(),
                            "all workers ended with exit code 0",
                            log)
                    : Transition.to(next, "", log);
        }
        Failure failure = failures.of(
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
        return failed.then(onFailed(failed.state(), List.of(event.slot())));
    }

    /** Some of the workers failed: what becomes of the others of this node. */
    private Transition onFailed(AgentState state, List<Integer> slots) {
        if (settings.replacesWorkers()) {
            return replacements.onFailed(state, slots);
        }
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
        if (!group.running() || state.isEnding()) {
            return Transition.stay(state);
        }
        List<WorkerView> silent = group.workers().stream()
                .filter(worker -> worker.attempt() <= event.generation() && worker.running() && worker.ready())
                .filter(worker -> !worker.ended() && worker.acknowledged() < event.seq())
                .toList();
        if (silent.isEmpty()) {
            return Transition.stay(state);
        }
        GroupState failed = group;
        for (WorkerView worker : silent) {
            failed = failed.withFailure(failures.of(
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
        return noticed.then(
                onFailed(noticed.state(), silent.stream().map(WorkerView::slot).toList()));
    }

    Transition onWorkerGone(AgentState state, AgentEvent.WorkerGone event) {
        if (event.attempt() != attempt(state, event.slot())) {
            return Transition.stay(state);
        }
        AgentState next =
                state.withGroup(state.group().withWorker(event.slot(), worker -> worker.with(WorkerView.Mark.GONE)));
        return settings.replacesWorkers() ? replacements.onWorkerGone(next) : Transition.stay(next);
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
        if (state.stopRun() != null) {
            return Transition.to(state, "starting no workers again: the run is to end");
        }
        int limit = settings.workersOutliveRounds() ? MAX_SOFT_START_FAILURES : MAX_HARD_START_FAILURES;
        if (state.startFailures() >= limit) {
            return broken(state, limit);
        }
        if (state.startFailures() > 0) {
            return startLater(state);
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
        return restartByOrder(state, settings, round);
    }

    static Transition broken(AgentState state, int limit) {
        String reason = "workers failed to start " + limit + " times in a row";
        return Transition.to(
                state.withPhase(NodePhase.BROKEN),
                reason,
                new AgentEffect.Schedule(BROKEN_WAIT, new AgentEvent.Aborted(EndRules.WORKER_FAILURE, reason)));
    }

    static Transition startLater(AgentState state) {
        return startIn(BACK_OFF.multipliedBy(1L << (state.startFailures() - 1)), state);
    }

    private static Transition startIn(Duration delay, AgentState state) {
        return Transition.to(
                state,
                "starting workers again in " + delay.toMillis() + " ms",
                new AgentEffect.Schedule(
                        delay, new AgentEvent.RestartDue(state.group().generation())));
    }

    /**
     * Whether a failed group waits for orders that nobody will give: the newest round has neither a place nor an order
     * for it, because the node was lost before its failure was seen, or stood by.
     */
    static boolean forgotten(AgentState state, AgentSettings settings) {
        Round round = state.round();
        int generation = state.group().generation();
        return round != null
                && state.stopRun() == null
                && state.group().phase() == GroupState.Phase.GONE
                && state.phase() == NodePhase.STARTING
                && state.startFailures() == 0
                && state.place(round, settings.nodeId()).isEmpty()
                && round.order(settings.nodeId())
                        .filter(order -> order.generation() == generation)
                        .isEmpty();
    }

    Transition onRestartDue(AgentState state, int generation) {
        if (settings.replacesWorkers() && state.group().running()) {
            return generation == state.group().generation() ? replacements.onRestartDue(state) : Transition.stay(state);
        }
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

    /** Soft: a fresh group in the stead of one that is gone; at once when the others wait, too. */
    static Transition restartByOrder(AgentState state, AgentSettings settings, Round round) {
        return round.suspended()
                ? restart(state, settings, "ordered by round " + round.number())
                : startIn(SURVIVORS_FIRST, state);
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
                : started.then(RoundRules.pause(settings, next, WorldChange.NONE, PauseKind.CHANGE, "no round yet"));
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

    private static int attempt(AgentState state, int slot) {
        return state.group().workers().get(slot).attempt();
    }

    private static AgentEffect.Log log(String kind, int slot, int attempt, Map<String, Object> more) {
        Map<String, Object> fields = new HashMap<>(more);
        fields.put("slot", slot);
        fields.put("attempt", attempt);
        return new AgentEffect.Log(kind, fields);
    }
}
