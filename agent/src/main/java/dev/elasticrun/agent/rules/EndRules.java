/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import java.time.Duration;
import java.util.Optional;

/** Decides how an agent ends: stops the workers, sends goodbye, finishes. Pure. */
public final class EndRules {
    static final int WORKER_FAILURE = 1;
    static final int BUDGET_USED = 4;
    public static final int DRAINED = 143;

    /** Characters of a stack trace that go into the last event of a run. */
    private static final int MAX_STACK = 4000;

    /** How long a draining node waits for a round without it before its workers are stopped. */
    private static final Duration LEAVE_WAIT = Duration.ofSeconds(2);

    private final AgentSettings settings;

    EndRules(AgentSettings settings) {
        this.settings = settings;
    }

    int failureExitCode() {
        return settings.restarts().budget().max() > 0 ? BUDGET_USED : WORKER_FAILURE;
    }

    Transition onVerdict(AgentState state, Verdict verdict) {
        AgentEffect log = new AgentEffect.Log(event(verdict));
        Transition noted = Transition.to(state, "", log);
        return state.isEnding() && state.phase() != NodePhase.DRAINING
                ? noted
                : noted.then(begin(
                        state,
                        new AgentState.Ending(verdict.exitCode(), verdict.reason(), verdict.isStopped(), false)));
    }

    private static RunEvent event(Verdict verdict) {
        Optional<RunEvent.Root> root = verdict.failures().stream()
                .findFirst()
                .filter(first -> !first.collateral())
                .map(first -> new RunEvent.Root(
                        first.nodeId(),
                        first.slot(),
                        first.attempt(),
                        first.rank(),
                        first.kind(),
                        first.message(),
                        first.stack()
                                .substring(0, Math.min(MAX_STACK, first.stack().length()))));
        return new RunEvent.RunEnded(verdict.succeeded(), verdict.exitCode(), verdict.reason(), verdict.causes(), root);
    }

    Transition onDrain(AgentState state, int exitCode) {
        return onDrain(state, exitCode, exitCode == DRAINED ? "drained" : "interrupted");
    }

    /** The same by an order of the newest round, which may be without this node already. */
    Transition onDrain(AgentState state, int exitCode, String reason) {
        if (state.isEnding()) {
            return Transition.stay(state);
        }
        AgentState.Ending ending = new AgentState.Ending(exitCode, reason);
        AgentState next = state.withPhase(NodePhase.DRAINING).with(ending);
        boolean inRound = state.round() != null
                && state.round().participant(settings.nodeId()).isPresent();
        AgentEffect log = new AgentEffect.Log(new RunEvent.NodeDraining(exitCode));
        return inRound
                ? Transition.noticed(
                        next,
                        "leaving the round before the workers are stopped",
                        log,
                        new AgentEffect.Schedule(LEAVE_WAIT, new AgentEvent.LeaveDue()))
                : Transition.noticed(next, reason, log).then(stopGroup(next));
    }

    /** While draining: the round without this node has come, so that no peer waits for its workers any more. */
    Transition onRoundWhileEnding(AgentState state, Round round) {
        AgentState next = state.with(state.rounds().seen(round));
        boolean left = round.participant(settings.nodeId()).isEmpty();
        return left && state.phase() == NodePhase.DRAINING ? stopGroup(next) : Transition.stay(next);
    }

    Transition onLeaveDue(AgentState state) {
        return state.phase() == NodePhase.DRAINING ? stopGroup(state) : Transition.stay(state);
    }

    /** Ends the agent with this exit code, whatever it was doing. */
    Transition begin(AgentState state, int exitCode, String reason) {
        return begin(state, new AgentState.Ending(exitCode, reason));
    }

    private Transition begin(AgentState state, AgentState.Ending begun) {
        AgentState.Ending current = state.ending();
        if (current != null && state.phase() != NodePhase.DRAINING) {
            return Transition.stay(state);
        }
        AgentState.Ending ending = current == null ? begun : current;
        AgentState next = state.with(ending);
        String reason = "ending: " + begun.reason();
        Transition ends = begun.exitCode() == 0 ? Transition.to(next, reason) : Transition.noticed(next, reason);
        return ends.then(stopGroup(next));
    }

    Transition onGroupGone(AgentState state) {
        AgentState.Ending ending = state.ending();
        if (ending == null || ending.groupStopped()) {
            return Transition.stay(state);
        }
        AgentState.Ending stopped = new AgentState.Ending(ending.exitCode(), ending.reason(), ending.stopped(), true);
        return Transition.to(state.with(stopped), "", new AgentEffect.Finish(ending.exitCode(), ending.reason()));
    }

    /** Processes of the group cannot be killed: the agent ends without them, and reports that. */
    Transition onStuck(AgentState state, String message) {
        AgentState.Ending ending = state.ending();
        if (state.group().running()) {
            return begin(state, WORKER_FAILURE, message);
        }
        AgentState.Ending without = ending == null
                ? new AgentState.Ending(WORKER_FAILURE, message)
                : new AgentState.Ending(
                        ending.exitCode(),
                        ending.reason() + "; left behind: " + message,
                        ending.stopped(),
                        ending.groupStopped());
        GroupState gone = state.group().withPhase(GroupState.Phase.GONE);
        return onGroupGone(state.with(gone).with(without));
    }

    private Transition stopGroup(AgentState state) {
        GroupState group = state.group();
        return switch (group.phase()) {
            case RUNNING -> {
                GroupState stopping = group.withPhase(GroupState.Phase.STOPPING);
                yield Transition.to(
                        state.with(stopping).idle(),
                        "",
                        new AgentEffect.StopGroup(
                                stopping.generation(), settings.times().shutdown()));
            }
            case STOPPING -> Transition.stay(state);
            case PENDING, GONE -> onGroupGone(state);
        };
    }
}
