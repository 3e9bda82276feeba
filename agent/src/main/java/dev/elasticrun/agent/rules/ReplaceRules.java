/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;

/**
 * Decides how a node replaces a failed worker, if its policy may replace single workers. The others run on; the node
 * starts fresh workers in the slots of those that ended, by order of the coordinator if a round has a place for this
 * group, else at once. Pure.
 */
final class ReplaceRules {
    private final AgentSettings settings;
    private final RestartRules restarts;

    ReplaceRules(AgentSettings settings) {
        this.settings = settings;
        this.restarts = new RestartRules(settings);
    }

    /** The workers of these slots failed, and their failures are noted. */
    Transition onFailed(AgentState state, List<Integer> slots) {
        Transition givenUp = giveUp(state, slots);
        boolean waits = state.phase() == NodePhase.BROKEN || state.phase() == NodePhase.BACKING_OFF;
        AgentState failed = givenUp.state().withPhase(waits ? state.phase() : NodePhase.STARTING);
        return givenUp.then(proceed(failed));
    }

    /** Kills those of these workers that have not ended, and counts one failed start unless all of them had worked. */
    static Transition giveUp(AgentState state, List<Integer> slots) {
        GroupState group = state.group();
        boolean worked =
                slots.stream().allMatch(slot -> group.workers().get(slot).is(WorkerView.Mark.WORKED));
        GroupState failed =
                worked ? group : group.withStartFailures(group.startFailures().and(group.failuresIn(slots)));
        Transition next = Transition.stay(state);
        for (int slot : slots) {
            WorkerView worker = group.workers().get(slot);
            if (worker.exitCode() == null) {
                failed = failed.withWorker(slot, silent -> silent.with(WorkerView.Mark.CONDEMNED));
                next = next.and(new AgentEffect.KillWorker(slot, worker.attempt()));
            }
        }
        return next.then(Transition.stay(state.with(failed)));
    }

    Transition onWorkerGone(AgentState state) {
        return proceed(state);
    }

    Transition onRestartDue(AgentState state) {
        return isReplaceable(state) ? replace(state, "starting again") : Transition.stay(state);
    }

    /** Whether a worker of the group failed and was not replaced yet, so that the group cannot work. */
    static boolean isAiling(AgentState state) {
        return state.group().running() && state.group().workers().stream().anyMatch(WorkerView::failed);
    }

    /** A round was published while the group is ailing. */
    Transition onRound(AgentState state, Round round) {
        boolean over = state.workingRound() > 0
                && (round.suspended()
                        || round.number() > state.workingRound()
                        || state.place(round, settings.nodeId()).isEmpty());
        Transition paused = over ? Pauses.pause(settings, state, round) : Transition.stay(state);
        return state.group().startFailures().total() > 0 ? paused : paused.then(proceed(paused.state()));
    }

    private Transition proceed(AgentState state) {
        if (!isReplaceable(state)) {
            return Transition.stay(state);
        }
        if (state.group().startFailures().own() >= RestartRules.MAX_SOFT_START_FAILURES) {
            return restarts.outOfStarts(state);
        }
        if (state.group().startFailures().total() > 0) {
            return RestartRules.startLater(state);
        }
        return awaitsOrder(state) ? Transition.to(state, "waiting for orders") : replace(state, "the others run on");
    }

    private static boolean isReplaceable(AgentState state) {
        return isAiling(state)
                && !state.isEnding()
                && state.phase() != NodePhase.BROKEN
                && state.phase() != NodePhase.BACKING_OFF
                && state.group().workers().stream()
                        .allMatch(worker -> !worker.ended() || worker.is(WorkerView.Mark.GONE));
    }

    // The round names this group, and the coordinator has not decided yet about it.
    private boolean awaitsOrder(AgentState state) {
        Round round = state.round();
        return round != null
                && state.place(round, settings.nodeId()).isPresent()
                && round.order(settings.nodeId())
                        .filter(order -> order.kind() == Order.Kind.REPLACE)
                        .filter(order -> order.generation() == state.group().generation())
                        .isEmpty();
    }

    private Transition replace(AgentState state, String reason) {
        Round round = state.round();
        Transition paused = state.workingRound() > 0 && round != null
                ? Pauses.pause(settings, state, round)
                : Transition.stay(state);
        AgentState quiet = paused.state();
        List<Integer> slots = quiet.group().endedSlots();
        boolean joined = quiet.identity() != null;
        GroupState fresh = quiet.group().withReplaced(slots, joined);
        AgentState next = quiet.with(fresh).withPhase(NodePhase.STARTING);
        return paused.then(Transition.to(
                next,
                "replacing the workers of slots " + slots + ": " + reason,
                new AgentEffect.ReplaceWorkers(fresh.generation(), slots, joined)));
    }
}
