/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Decides what a node does without one of its workers, if a round can be without it. The others continue in the next
 * round; once the newest round is without the failed worker, a fresh one is started in its slot and waits, paused, for a
 * round that has a rank for it. Pure.
 */
final class ElasticWorkerRules {
    private final AgentSettings settings;
    private final EndRules endings;
    private final RestartRules restarts;

    ElasticWorkerRules(AgentSettings settings, EndRules endings) {
        this.settings = settings;
        this.endings = endings;
        this.restarts = new RestartRules(settings);
    }

    /** The workers of these slots failed, and their failures are noted. */
    Transition onFailed(AgentState state, List<Integer> slots) {
        Transition givenUp = ReplaceRules.giveUp(state, slots);
        AgentState settled = settled(givenUp.state());
        return givenUp.then(Transition.stay(settled)).then(replaceInTime(settled));
    }

    Transition onWorkerGone(AgentState state) {
        return replaceInTime(state);
    }

    /** A worker is ready: one start has succeeded. */
    Transition onReady(AgentState state) {
        AgentState settled = settled(state.with(state.group().withStartFailures(StartFailures.NONE)));
        boolean isNews = settled.phase() == NodePhase.READY && state.phase() == NodePhase.STARTING;
        return Transition.to(settled, isNews ? "all workers that run are ready" : "");
    }

    /** A round was published. */
    Transition onRound(AgentState state, Round round, BiFunction<AgentState, Round, Transition> follow) {
        if (!state.group().running() || state.phase() == NodePhase.DONE) {
            return Transition.stay(state);
        }
        Optional<Participant> place = state.place(round, settings.nodeId());
        boolean isLate = place.isPresent() && !round.suspended() && lacksOne(state, place.get());
        Transition moved = isLate ? pause(state, round) : follow.apply(state, round);
        AgentState now = moved.state();
        Transition done = hasSucceeded(now)
                ? Transition.to(now.withPhase(NodePhase.DONE).idle(), "all workers of the round ended with exit code 0")
                : Transition.stay(now);
        return moved.then(done).then(replaceInTime(done.state()));
    }

    // The coordinator has not seen yet that a worker of this round failed: another round follows.
    private Transition pause(AgentState state, Round round) {
        Transition paused = state.workingRound() > 0 ? Pauses.pause(settings, state, round) : Transition.stay(state);
        AgentState now = paused.state();
        return paused.then(Transition.stay(now.with(now.rounds().acknowledging(round))));
    }

    /** Whether one of the workers in this place has failed. */
    static boolean lacksOne(AgentState state, Participant place) {
        return place.seats().stream()
                .anyMatch(seat -> state.group().workers().get(seat.slot()).failed());
    }

    /** Whether all workers that have a rank in the newest round ended with 0, or, before any round, all that there are. */
    boolean hasSucceeded(AgentState state) {
        Round round = state.round();
        if (round == null) {
            return state.group().allSucceeded();
        }
        return !round.suspended()
                && state.place(round, settings.nodeId())
                        .filter(place -> place.seats().stream()
                                .allMatch(seat ->
                                        state.group().workers().get(seat.slot()).succeeded()))
                        .isPresent();
    }

    Transition onRestartDue(AgentState state) {
        List<Integer> slots = replaceable(state);
        if (slots.isEmpty()) {
            return Transition.stay(state);
        }
        boolean joined = state.identity() != null;
        GroupState fresh = state.group().withReplaced(slots, joined);
        Transition replaced = Transition.to(
                state.with(fresh),
                "starting fresh workers in slots " + slots + " beside the others",
                new AgentEffect.ReplaceWorkers(fresh.generation(), slots, joined));
        // A round that we have not seen may have used our master endpoint.
        return joined && !isMember(state) ? replaced.then(Pauses.nextMaster(replaced.state())) : replaced;
    }

    private boolean isMember(AgentState state) {
        return Optional.ofNullable(state.round())
                .flatMap(round -> state.place(round, settings.nodeId()))
                .isPresent();
    }

    // Others that re-form, and those that start, come first.
    private Transition replaceInTime(AgentState state) {
        if (isUsedUp(state)) {
            return endings.begin(state, endings.failureExitCode(), "no restart is left for this node");
        }
        if (replaceable(state).isEmpty()) {
            return Transition.stay(state);
        }
        GroupState group = state.group();
        boolean isAlone = group.workers().stream().allMatch(WorkerView::ended);
        if (isAlone && group.startFailures().own() >= RestartRules.MAX_SOFT_START_FAILURES) {
            return restarts.outOfStarts(state);
        }
        return group.startFailures().total() > 0 ? RestartRules.startLater(state) : RestartRules.startBeside(state);
    }

    /** Slots whose worker failed and is gone, and without which the newest round is. */
    private List<Integer> replaceable(AgentState state) {
        boolean canStart = state.group().running()
                && !state.isEnding()
                && state.phase() != NodePhase.BROKEN
                && state.phase() != NodePhase.BACKING_OFF
                && state.phase() != NodePhase.DONE
                && state.reports().stopRun() == null
                && !isForGood(state);
        return canStart
                ? state.group().workers().stream()
                        .filter(worker -> worker.failed() && worker.is(WorkerView.Mark.GONE))
                        .filter(worker -> !hasRank(state, worker))
                        .map(WorkerView::slot)
                        .toList()
                : List.of();
    }

    // It continued without those that failed, and now the last one has ended, in no round.
    private boolean isUsedUp(AgentState state) {
        List<WorkerView> workers = state.group().workers();
        return isForGood(state)
                && !state.isEnding()
                && state.phase() != NodePhase.DONE
                && workers.stream().allMatch(worker -> worker.ended() && !hasRank(state, worker));
    }

    private boolean isForGood(AgentState state) {
        return Optional.ofNullable(state.round())
                .filter(round -> round.shrinks(settings.nodeId()))
                .isPresent();
    }

    private boolean hasRank(AgentState state, WorkerView worker) {
        return Optional.ofNullable(state.round())
                .flatMap(round -> round.participant(settings.nodeId()))
                .filter(place -> place.createRevision() == state.membership().life())
                .filter(place -> place.rankOf(worker.slot(), worker.attempt()).isPresent())
                .isPresent();
    }

    // Whether the node can join: with all its ranks, or with as many as there are once no worker is about to be ready.
    private boolean isReady(GroupState group) {
        long fit = group.workers().stream().filter(WorkerView::fit).count();
        boolean isLoading = group.workers().stream().anyMatch(worker -> !worker.ready() && !worker.ended());
        return group.running() && fit > 0 && (fit >= settings.slots() || !isLoading);
    }

    /** The phase that follows from its workers, unless the node is about to leave or has finished. */
    private AgentState settled(AgentState state) {
        GroupState group = state.group();
        return switch (state.phase()) {
            case READY, ACTIVE, STANDBY, FENCED -> group.anyFit() ? state : state.withPhase(NodePhase.STARTING);
            case STARTING -> isReady(group) ? state.withPhase(NodePhase.READY) : state;
            case BACKING_OFF, DRAINING, DONE, BROKEN -> state;
        };
    }
}
