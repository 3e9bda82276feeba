/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.config.StateLoss;
import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides how an agent reacts to messages of its workers. Pure. */
final class MessageRules {
    /**
     * Nearly always the loss itself is already being answered: a report by every peer would only delay that, and the
     * coordinator does nothing about it before a lease has passed.
     */
    private static final Duration PEER_LOST_DELAY = Duration.ofMillis(200);

    /** Of one round; the first ones matter. */
    private static final int MAX_PEERS_LOST = 256;

    private final AgentSettings settings;
    private final WorkerFailures failures;
    private final ElasticWorkerRules elastic;

    MessageRules(AgentSettings settings, ElasticWorkerRules elastic) {
        this.settings = settings;
        this.elastic = elastic;
        this.failures = new WorkerFailures(settings);
    }

    Transition onReported(AgentState state, AgentEvent.WorkerReported event) {
        if (event.attempt() != state.group().attempt(event.slot())) {
            return Transition.stay(state);
        }
        UpMessage message = event.message();
        GroupState group = state.group();
        int slot = event.slot();
        if (message instanceof UpMessage.Ready ready) {
            return onReady(state, slot, ready.port());
        } else if (message instanceof UpMessage.Ack ack) {
            AgentState next = state.with(group.withWorker(slot, worker -> worker.withAcknowledged(ack.seq())))
                    .with(reached(state, ack.version()));
            return Transition.to(
                    next,
                    "",
                    new AgentEffect.Log(new RunEvent.PauseAcknowledged(
                            worker(state, slot), ack.seq(), ack.version(), 0, ack.monotonicNanos())));
        } else if (message instanceof UpMessage.Resumed resumed) {
            return Transition.to(
                    state.with(group.withWorker(slot, worker -> worker.with(WorkerView.Mark.RESUMED)))
                            .with(state.checkpoints().resumed(resumed)),
                    "",
                    new AgentEffect.Log(new RunEvent.WorkerResumed(
                            worker(state, slot),
                            failures.rankOf(state, slot),
                            resumed.round(),
                            resumed.version(),
                            resumed.monotonicNanos())));
        } else if (message instanceof UpMessage.Progress progress) {
            return onProgress(state, slot, progress);
        } else if (message instanceof UpMessage.Committed committed) {
            Checkpoints reached = state.checkpoints().reached(committed.version());
            return Transition.to(
                    state.with(reached),
                    "",
                    new AgentEffect.NoteCheckpoint(reached.newest().run()));
        } else if (message instanceof UpMessage.PeerLost lost) {
            return onPeerLost(state, slot, lost);
        } else if (message instanceof UpMessage.StateLost lost) {
            return onStateLost(state, slot, lost);
        } else if (message instanceof UpMessage.LocalStateLost lost) {
            return onLocalStateLost(state, slot, lost);
        } else if (message instanceof UpMessage.Failure failure) {
            return Transition.stay(state.with(
                    group.withWorker(slot, worker -> worker.withReported(failure.message(), failure.stack()))));
        } else if (message instanceof UpMessage.StopRun stopRun) {
            Failure cause =
                    failures.of(state, slot, -1, Failure.Evidence.of(FailureKind.STOPPED_THE_RUN, stopRun.message()));
            return Transition.noticed(
                    state.with(state.reports().stopping(cause)),
                    "worker " + slot + " ends the run: " + stopRun.message(),
                    new AgentEffect.Log(
                            new RunEvent.RunStopRequested(Optional.of(worker(state, slot)), stopRun.message())));
        } else if (message instanceof UpMessage.ExcludeNode exclude) {
            String reason = WorkerFailures.line(exclude.reason().isBlank() ? "no reason given" : exclude.reason());
            return Transition.noticed(
                    state.with(state.reports().excluding(reason)),
                    "worker " + slot + " wants this node out of the run: " + exclude.reason(),
                    new AgentEffect.Log(new RunEvent.NodeExcludeRequested(worker(state, slot), exclude.reason())));
        }
        throw new IllegalStateException("no rule for " + message);
    }

    // A node without a rank has its record report what it has: others may need it.
    private Checkpoints reached(AgentState state, long version) {
        Checkpoints reached = state.checkpoints().reached(version);
        Round round = state.round();
        boolean hasRank = round != null && state.place(round, settings.nodeId()).isPresent();
        return hasRank ? reached : reached.published();
    }

    // Logs the first step of a round: it shows when work resumed, and how many steps were lost.
    private Transition onProgress(AgentState state, int slot, UpMessage.Progress progress) {
        AgentState next = state.with(state.checkpoints().reached(progress.version()));
        long round = state.workingRound();
        if (round == 0 || state.group().workers().get(slot).progressedRound() == round) {
            return Transition.stay(next);
        }
        return Transition.to(
                next.with(next.group().withWorker(slot, worker -> worker.withProgress(round))),
                "",
                new AgentEffect.Log(new RunEvent.WorkerProgressed(
                        worker(state, slot), failures.rankOf(state, slot), progress.step(), progress.total())));
    }

    // One worker of each node reports it; another round may miss the same.
    private Transition onStateLost(AgentState state, int slot, UpMessage.StateLost message) {
        boolean isKnown = state.checkpoints().lost().stream()
                .anyMatch(known ->
                        known.round() == message.round() && known.ranks().isEmpty());
        if (isKnown) {
            return Transition.stay(state);
        }
        LostState lost = new LostState(message.version(), message.round(), goneIn(state, message.round()));
        AgentState next = withLost(state, slot, lost);
        return Transition.noticed(
                next.with(next.checkpoints().lostIn(message.round())),
                lost.describe(),
                new AgentEffect.NoteCheckpoint(RunVersion.lostIn(message.round())),
                new AgentEffect.Log(new RunEvent.StateLost(worker(state, slot), loss(lost))));
    }

    // Workers repeat it in each round until the next checkpoint.
    private Transition onLocalStateLost(AgentState state, int slot, UpMessage.LocalStateLost message) {
        boolean isKnown = state.checkpoints().lost().stream()
                .anyMatch(known ->
                        known.version() == message.version() && known.ranks().containsAll(message.ranks()));
        if (isKnown) {
            return Transition.stay(state);
        }
        LostState lost =
                LostState.ofRanks(message.ranks(), message.version(), message.round(), goneIn(state, message.round()));
        return Transition.noticed(
                withLost(state, slot, lost),
                lost.describe(),
                new AgentEffect.Log(new RunEvent.StateLocalLost(worker(state, slot), loss(lost), lost.ranks())));
    }

    // The nodes that the round lacks, if nothing newer is known.
    private static List<String> goneIn(AgentState state, long number) {
        Round round = state.round();
        return round != null && round.number() == number
                ? state.rounds().lostMembers().nodes()
                : List.of();
    }

    private RunEvent.Loss loss(LostState lost) {
        return new RunEvent.Loss(
                lost.version(),
                lost.round(),
                lost.gone(),
                settings.restarts().onStateLoss().text());
    }

    private static RunEvent.Worker worker(AgentState state, int slot) {
        return new RunEvent.Worker(slot, state.group().attempt(slot));
    }

    private AgentState withLost(AgentState state, int slot, LostState lost) {
        AgentState next = state.with(state.checkpoints().withLost(lost));
        if (settings.restarts().onStateLoss() != StateLoss.FAIL) {
            return next;
        }
        Failure.Evidence evidence = Failure.Evidence.of(FailureKind.STATE_LOST, lost.describe());
        return next.with(next.reports().stopping(failures.of(state, slot, -1, evidence)));
    }

    private Transition onReady(AgentState state, int slot, int port) {
        GroupState group = state.group().withWorker(slot, worker -> worker.withReady(port));
        AgentState next = state.with(group);
        AgentEffect log = new AgentEffect.Log(new RunEvent.WorkerReady(worker(state, slot), port));
        if (settings.restarts().elasticWorkers()) {
            return Transition.to(next, "", log).then(elastic.onReady(next));
        }
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
        // Sent before the worker saw that PAUSE: when the lease was in doubt, WORK for the same round has followed.
        boolean answered =
                settings.workersOutliveRounds() && group.workers().get(slot).acknowledged() < group.eventSeq() - 1;
        Transition noted = Transition.to(
                state.with(group.withWorker(slot, worker -> worker.withLostPeer(lost.round()))),
                "",
                new AgentEffect.Log(new RunEvent.PeerLost(worker(state, slot), lost.rank(), lost.round(), answered)));
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
        if (due.report().isDoubt()) {
            return closedItsLinks(state, due.report());
        }
        List<PeerLost> reports = new ArrayList<>(state.reports().peersLost());
        if (reports.contains(due.report()) || reports.size() >= MAX_PEERS_LOST) {
            return Transition.stay(state);
        }
        reports.add(due.report());
        return Transition.stay(state.with(state.reports().withPeersLost(reports)));
    }

    // A worker that reports itself closed its links, by itself or because of the lease deadline, and joins only a newer
    // round, or is started anew for one. Handled as the report of a link, it would be missing where all workers have
    // closed theirs, and would blame a peer elsewhere.
    private static Transition closedItsLinks(AgentState state, PeerLost report) {
        return state.phase() == NodePhase.ACTIVE
                ? Transition.to(
                        state.withPhase(NodePhase.FENCED),
                        "rank " + report.reporterRank() + " has closed its links: asking for a new round")
                : Transition.stay(state);
    }
}
