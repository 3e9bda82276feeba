/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Decides how an agent reacts to its workers' processes: they began, ended, or do not react. Pure. */
final class WorkerRules {
    private final AgentSettings settings;
    private final EndRules endings;
    private final ReplaceRules replacements;
    private final ElasticWorkerRules elastic;
    private final RestartRules restarts;
    private final WorkerFailures failures;

    WorkerRules(AgentSettings settings, EndRules endings, ReplaceRules replacements, ElasticWorkerRules elastic) {
        this.settings = settings;
        this.endings = endings;
        this.replacements = replacements;
        this.elastic = elastic;
        this.restarts = new RestartRules(settings);
        this.failures = new WorkerFailures(settings);
    }

    Transition onStarted(AgentState state, AgentEvent.WorkerStarted event) {
        if (event.attempt() != state.group().attempt(event.slot())) {
            return Transition.stay(state);
        }
        GroupState group = state.group().withWorker(event.slot(), worker -> worker.withPid(event.pid()));
        boolean allRan = group.workers().stream().allMatch(worker -> worker.pid() != 0);
        Transition started = Transition.to(
                state.with(
                        allRan && !settings.workersOutliveRounds()
                                ? group.withStartFailures(StartFailures.NONE)
                                : group),
                "",
                new AgentEffect.Log(
                        new RunEvent.WorkerStarted(new RunEvent.Worker(event.slot(), event.attempt()), event.pid())));
        boolean mustBeReady =
                settings.workersOutliveRounds() && !settings.times().ready().isZero();
        return mustBeReady
                ? started.and(new AgentEffect.Schedule(
                        settings.times().ready(), new AgentEvent.ReadyExpired(event.attempt(), event.slot())))
                : started;
    }

    /** A worker that hangs while it loads fails as one that ends then. */
    Transition onReadyExpired(AgentState state, AgentEvent.ReadyExpired event) {
        GroupState group = state.group();
        if (state.isEnding() || !group.running() || event.attempt() != group.attempt(event.slot())) {
            return Transition.stay(state);
        }
        WorkerView worker = group.workers().get(event.slot());
        if (!worker.running() || worker.ready() || worker.ended() || worker.is(WorkerView.Mark.CONDEMNED)) {
            return Transition.stay(state);
        }
        String what = "not ready for a round within " + settings.times().ready().toMillis() + " ms (--ready-timeout)";
        Failure failure = failures.of(state, event.slot(), -1, Failure.Evidence.of(FailureKind.NO_ANSWER, what));
        Transition noticed = Transition.to(
                state.with(group.withFailure(failure)),
                "worker " + event.slot() + " is " + what,
                new AgentEffect.Log(WorkerFailures.event(failure)));
        return noticed.then(onFailed(noticed.state(), List.of(event.slot())));
    }

    /** Its end is to come; what its agent found is its cause, whatever the worker reports of it. */
    Transition onFault(AgentState state, AgentEvent.WorkerFault event) {
        return event.attempt() == state.group().attempt(event.slot())
                ? Transition.stay(state.with(
                        state.group().withWorker(event.slot(), worker -> worker.withReported(event.evidence()))))
                : Transition.stay(state);
    }

    Transition onEnded(AgentState state, AgentEvent.WorkerEnded event) {
        GroupState before = state.group();
        if (event.attempt() != state.group().attempt(event.slot())
                || before.workers().get(event.slot()).exitCode() != null) {
            return Transition.stay(state);
        }
        GroupState group = before.withWorker(event.slot(), worker -> worker.withExit(event.exitCode()));
        boolean expected = state.isEnding()
                || before.phase() == GroupState.Phase.STOPPING
                || before.workers().get(event.slot()).is(WorkerView.Mark.CONDEMNED);
        // How far it was is known beside the rules, which do not need it.
        AgentEffect log = new AgentEffect.Log(new RunEvent.WorkerExited(
                new RunEvent.Worker(event.slot(), event.attempt()),
                new RunEvent.WorkerEnd(before.workers().get(event.slot()).pid(), event.exitCode()),
                expected,
                0,
                0));
        if (expected) {
            return Transition.to(state.with(group), "", log);
        }
        if (event.exitCode() == 0) {
            AgentState next = state.with(group);
            return hasSucceeded(next) ? succeeded(next, log) : Transition.to(next, "", log);
        }
        Failure failure = failures.of(state, event.slot(), event.exitCode(), event.evidence())
                .heldFor(event.heldMillis());
        AgentEffect detected = new AgentEffect.Log(WorkerFailures.event(failure));
        Transition failed = Transition.to(
                state.with(group.withFailure(failure)),
                "worker " + event.slot() + " failed: " + failure.message()
                        + (failure.savedFile().isEmpty() ? "" : "; see " + failure.savedFile()),
                log,
                detected);
        Transition last = settings.restarts().limits().exitCodes().contains(event.exitCode())
                ? failed.then(onNotToBeRetried(failed.state(), failure))
                : failed;
        return last.then(onFailed(last.state(), List.of(event.slot())));
    }

    private Transition succeeded(AgentState state, AgentEffect log) {
        AgentState done = state.withPhase(NodePhase.DONE).idle();
        String ended = "all workers ended with exit code 0";
        boolean neverMet = settings.workersOutliveRounds()
                && state.group().workers().stream().noneMatch(WorkerView::ready);
        return neverMet
                ? Transition.noticed(
                        done,
                        ended
                                + ", and none called getWorkerInfo(); a program that never does needs --restart-policy hard",
                        log)
                : Transition.to(done, ended, log);
    }

    private boolean hasSucceeded(AgentState state) {
        return settings.restarts().elasticWorkers()
                ? elastic.hasSucceeded(state)
                : state.group().allSucceeded();
    }

    private static Transition onNotToBeRetried(AgentState state, Failure failure) {
        String reason = "exit code " + failure.exitCode() + " is not to be retried (--no-retry-exit-codes)";
        Failure last = WorkerFailures.withMessage(failure, failure.message() + "; " + reason);
        return Transition.noticed(state.with(state.reports().stopping(last)), reason);
    }

    /** Some of the workers failed: what becomes of the others of this node. */
    Transition onFailed(AgentState state, List<Integer> slots) {
        return switch (settings.restarts().failedWorker()) {
            case IS_REPLACED -> replacements.onFailed(state, slots);
            case LEAVES_ALONE -> elastic.onFailed(state, slots);
            case STOPS_THE_NODE -> stopTheOthers(state, slots);
        };
    }

    private Transition stopTheOthers(AgentState state, List<Integer> slots) {
        if (!settings.workersOutliveRounds() && state.group().worked() && !neverRan(state)) {
            // The coordinator stops all nodes, this one too.
            return Transition.stay(state);
        }
        GroupState stopping = state.group().withPhase(GroupState.Phase.STOPPING);
        boolean worked = stopping.worked() && settings.workersOutliveRounds();
        AgentState next = state.with(stopping.withStartFailures(
                        worked ? StartFailures.NONE : stopping.startFailures().and(stopping.failuresIn(slots))))
                .idle()
                .withPhase(NodePhase.STARTING);
        return Transition.to(
                next,
                "stopping the workers of this node",
                new AgentEffect.StopGroup(
                        stopping.generation(), settings.times().shutdown()));
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
                    Failure.Evidence.of(
                            FailureKind.NO_ANSWER,
                            "no acknowledgement of PAUSE within "
                                    + settings.times().pause().toSeconds() + " s")));
        }
        List<Integer> slots = silent.stream().map(WorkerView::slot).toList();
        String names = slots.stream().map(String::valueOf).collect(Collectors.joining(", "));
        Transition noticed = Transition.to(
                state.with(failed),
                "workers " + names + " did not acknowledge PAUSE within "
                        + settings.times().pause().toSeconds() + " s",
                new AgentEffect.Log(new RunEvent.PauseExpired(
                        slots, settings.times().pause().toSeconds())));
        return noticed.then(onFailed(noticed.state(), slots));
    }

    Transition onWorkerGone(AgentState state, AgentEvent.WorkerGone event) {
        if (event.attempt() != state.group().attempt(event.slot())) {
            return Transition.stay(state);
        }
        AgentState next =
                state.with(state.group().withWorker(event.slot(), worker -> worker.with(WorkerView.Mark.GONE)));
        return switch (settings.restarts().failedWorker()) {
            case IS_REPLACED -> replacements.onWorkerGone(next);
            case LEAVES_ALONE -> elastic.onWorkerGone(next);
            case STOPS_THE_NODE -> Transition.stay(next);
        };
    }

    Transition onGroupGone(AgentState state, int generation) {
        GroupState group = state.group();
        if (generation != group.generation()) {
            return Transition.stay(state);
        }
        AgentState gone = state.with(group.withPhase(GroupState.Phase.GONE));
        AgentEffect log = new AgentEffect.Log(new RunEvent.WorkersGone(generation));
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

    /**
     * A process that waits in the kernel may hold resources that fresh workers need: this node is of no use any more.
     */
    Transition onStuck(AgentState state, AgentEvent.WorkersStuck event) {
        List<Integer> slots = event.attempts().entrySet().stream()
                .filter(stuck -> stuck.getValue() == state.group().attempt(stuck.getKey()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        if (slots.isEmpty()) {
            return Transition.stay(state);
        }
        GroupState group = state.group();
        for (int slot : slots) {
            group = group.withFailure(
                    failures.of(state, slot, -1, Failure.Evidence.of(FailureKind.STUCK, event.message())));
        }
        AgentState next = state.with(group);
        Transition noted = Transition.to(
                next, event.message(), new AgentEffect.Log(new RunEvent.WorkersStuck(slots, event.message())));
        return noted.then(endings.onStuck(next, event.message()));
    }

    private Transition afterStop(AgentState state) {
        if (state.reports().stopRun() != null) {
            return Transition.to(state, "starting no workers again: the run is to end");
        }
        int limit = settings.workersOutliveRounds()
                ? RestartRules.MAX_SOFT_START_FAILURES
                : RestartRules.MAX_HARD_START_FAILURES;
        if (state.group().startFailures().own() >= limit) {
            return restarts.outOfStarts(state);
        }
        if (state.group().startFailures().total() > 0) {
            return RestartRules.startLater(state);
        }
        if (!settings.workersOutliveRounds()) {
            return restarts.renew(state, "all processes of the round are gone");
        }
        if (restarts.forgotten(state)) {
            return restarts.restart(state, "no round knows us");
        }
        Round round = state.round();
        if (round == null
                || round.order(settings.nodeId())
                        .filter(order -> restarts.isFor(order, state.group()))
                        .isEmpty()) {
            return Transition.to(state, "waiting for orders");
        }
        return restarts.byOrder(state, round);
    }

    Transition onBackOffOver(AgentState state, int generation) {
        GroupState group = state.group();
        if (state.phase() != NodePhase.BACKING_OFF || generation != group.generation() || state.isEnding()) {
            return Transition.stay(state);
        }
        Transition started = onRestartDue(state.withPhase(NodePhase.STARTING), generation);
        boolean isStarted = started.state().group().generation() > generation;
        return isStarted ? started : RestartRules.backOffLonger(state);
    }

    Transition onRestartDue(AgentState state, int generation) {
        if (state.phase() == NodePhase.BACKING_OFF) {
            return Transition.stay(state);
        }
        FailedWorker failed = settings.restarts().failedWorker();
        if (failed == FailedWorker.LEAVES_ALONE && state.group().running()) {
            return elastic.onRestartDue(state);
        }
        if (failed == FailedWorker.IS_REPLACED && state.group().running()) {
            return generation == state.group().generation() ? replacements.onRestartDue(state) : Transition.stay(state);
        }
        boolean due = generation == state.group().generation()
                && state.group().phase() == GroupState.Phase.GONE
                && !state.isEnding();
        if (!due) {
            return Transition.stay(state);
        }
        return settings.workersOutliveRounds()
                ? restarts.restart(state, "starting again")
                : restarts.renew(state, "starting again");
    }

    private static boolean neverRan(AgentState state) {
        return state.group().failures().stream()
                .filter(failure -> failure.attempt() == state.group().attempt(failure.slot()))
                .allMatch(failure -> failure.pid() == 0);
    }
}
