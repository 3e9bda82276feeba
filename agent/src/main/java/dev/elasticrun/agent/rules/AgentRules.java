/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.PauseKind;

/** The pure machine of one agent: how it starts. What its workers do, rounds and the end have rules of their own. */
public final class AgentRules implements AgentEvent.Handler {
    private final AgentSettings settings;
    private final WorkerRules workers;
    private final MessageRules messages;
    private final RoundRules rounds;
    private final EndRules endings;
    private final ProgressRules progress;
    private final EarlyEndRules earlyEnds;

    public AgentRules(AgentSettings settings) {
        this.settings = settings;
        this.endings = new EndRules(settings);
        ReplaceRules replacements = new ReplaceRules(settings);
        ElasticWorkerRules elastic = new ElasticWorkerRules(settings, endings);
        this.workers = new WorkerRules(settings, endings, replacements, elastic);
        this.messages = new MessageRules(settings, elastic);
        this.rounds = new RoundRules(settings, endings, replacements, elastic);
        this.progress = new ProgressRules(settings);
        this.earlyEnds = new EarlyEndRules(settings, workers);
    }

    AgentSettings settings() {
        return settings;
    }

    @Override
    public Transition onRound(AgentState state, Round round) {
        Transition counted = progress.onRound(state, round);
        Transition moved = counted.then(rounds.onRound(counted.state(), round));
        return moved.then(earlyEnds.onRound(state, moved.state()));
    }

    @Override
    public Transition onPeerLostDue(AgentState state, AgentEvent.PeerLostDue due) {
        Transition noted = messages.onPeerLostDue(state, due);
        return noted.then(earlyEnds.check(noted.state()));
    }

    @Override
    public Transition onCheckpointHeld(AgentState state, CheckpointId held) {
        return Transition.stay(state.with(state.checkpoints().held(held)));
    }

    @Override
    public Transition onCheckpointCopied(AgentState state, AgentEvent.CheckpointCopied copied) {
        return Transition.stay(state.with(
                state.checkpoints().copied(copied.newest(), copied.since()).published()));
    }

    @Override
    public Transition onWorkerEnded(AgentState state, AgentEvent.WorkerEnded event) {
        Transition ended = workers.onEnded(state, event);
        return ended.then(earlyEnds.check(ended.state()));
    }

    @Override
    public Transition onLaunched(AgentState state) {
        AgentEffect reserve = new AgentEffect.ReservePorts(!settings.workersOutliveRounds());
        if (!settings.workersOutliveRounds()) {
            return Transition.to(state, "waiting for a round before workers start", reserve);
        }
        GroupState running = state.group().withPhase(GroupState.Phase.RUNNING);
        return Transition.to(
                state.with(running),
                "starting workers while the rendezvous begins",
                AgentEffect.StartGroup.paused(0),
                reserve);
    }

    @Override
    public Transition onPortsReserved(AgentState state, AgentEvent.PortsReserved event) {
        AgentState next = state.with(state.membership().withMasterPort(event.masterPort()));
        GroupState group = state.group();
        boolean forWorkers = group.phase() == GroupState.Phase.PENDING
                && !event.workerPorts().isEmpty();
        if (settings.workersOutliveRounds() || state.isEnding() || !forWorkers) {
            return Transition.stay(next);
        }
        GroupState pending = group.renewed(group.generation(), event.workerPorts());
        Round round = state.round();
        // Only now: a coordinator that sees the stop may seal at once, and needs the ports for it.
        return Transition.stay(next.with(pending)
                .withPhase(NodePhase.READY)
                .with(next.rounds().stoppedUpTo(round == null ? 0 : round.number())));
    }

    @Override
    public Transition onJoined(AgentState state, AgentEvent.Joined event) {
        boolean first = state.identity() == null;
        AgentState next = state.with(state.membership().joined(event.identity(), event.createRevision()))
                .with(state.checkpoints().published());
        if (!first || !state.group().running()) {
            return Transition.to(
                    next, first ? "joined incarnation " + event.identity().incarnation() : "joined again");
        }
        Transition paused = Pauses.pause(settings, next, WorldChange.NONE, PauseKind.CHANGE, "no round yet");
        return paused.then(Transition.to(
                paused.state(), "joined incarnation " + event.identity().incarnation()));
    }

    @Override
    public Transition onVerdict(AgentState state, Verdict verdict) {
        return endings.onVerdict(state, verdict);
    }

    @Override
    public Transition onRestored(AgentState state, boolean stalled) {
        return rounds.onRestored(state, stalled);
    }

    @Override
    public Transition onFenced(AgentState state) {
        return rounds.onFenced(state);
    }

    @Override
    public Transition onMembershipLost(AgentState state) {
        return rounds.onMembershipLost(state);
    }

    @Override
    public Transition onWorkerStarted(AgentState state, AgentEvent.WorkerStarted event) {
        return workers.onStarted(state, event);
    }

    @Override
    public Transition onWorkerReported(AgentState state, AgentEvent.WorkerReported event) {
        return messages.onReported(state, event);
    }

    @Override
    public Transition onWorkerFault(AgentState state, AgentEvent.WorkerFault event) {
        return workers.onFault(state, event);
    }

    @Override
    public Transition onWorkerGone(AgentState state, AgentEvent.WorkerGone event) {
        return workers.onWorkerGone(state, event);
    }

    @Override
    public Transition onGroupGone(AgentState state, int generation) {
        return workers.onGroupGone(state, generation);
    }

    @Override
    public Transition onWorkersStuck(AgentState state, AgentEvent.WorkersStuck event) {
        return workers.onStuck(state, event);
    }

    @Override
    public Transition onPauseExpired(AgentState state, AgentEvent.PauseExpired event) {
        return workers.onPauseExpired(state, event);
    }

    @Override
    public Transition onReadyExpired(AgentState state, AgentEvent.ReadyExpired event) {
        return workers.onReadyExpired(state, event);
    }

    @Override
    public Transition onDoubtOver(AgentState state, AgentEvent.DoubtOver event) {
        return RoundRules.onDoubtOver(state, event);
    }

    @Override
    public Transition onRestartDue(AgentState state, int generation) {
        return workers.onRestartDue(state, generation);
    }

    @Override
    public Transition onBackOffOver(AgentState state, int generation) {
        return workers.onBackOffOver(state, generation);
    }

    @Override
    public Transition onDrain(AgentState state, int exitCode) {
        return endings.onDrain(state, exitCode);
    }

    @Override
    public Transition onLeaveDue(AgentState state) {
        return endings.onLeaveDue(state);
    }

    @Override
    public Transition onAborted(AgentState state, int exitCode, String reason) {
        return endings.begin(state, exitCode, reason);
    }
}
