/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.MasterEndpoint;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides how an agent reacts to rounds, and to doubts about its place in one. Pure. */
final class RoundRules {
    /** Peers notice closed links at once, and agents hold their reports back for a fraction of a second. */
    private static final Duration MISSED_WITHIN = Duration.ofSeconds(5);

    private static final String LOST = "this node was out of touch for too long and lost its place: it joins again";

    private final AgentSettings settings;
    private final EndRules endings;
    private final ReplaceRules replacements;
    private final ElasticWorkerRules elastic;
    private final RestartRules restarts;

    RoundRules(AgentSettings settings, EndRules endings, ReplaceRules replacements, ElasticWorkerRules elastic) {
        this.settings = settings;
        this.endings = endings;
        this.replacements = replacements;
        this.elastic = elastic;
        this.restarts = new RestartRules(settings);
    }

    Transition onRound(AgentState state, Round round) {
        if (state.isEnding()) {
            return endings.onRoundWhileEnding(state, round);
        }
        AgentState.Reports current = state.reports()
                .withPeersLost(state.reports().peersLost().stream()
                        .filter(lost -> lost.round() >= round.number())
                        .toList());
        AgentState seen = state.with(state.rounds().seen(round))
                .with(isAdmittedAgain(state, round) ? current.admitted() : current)
                .with(state.checkpoints().lostIn(round.checkpoint().since()).missed(newestWithoutUs(state, round)));
        Transition obeyed = obey(seen, round, state.round());
        if (obeyed.state().isEnding()) {
            return obeyed;
        }
        AgentState next = obeyed.state();
        Transition moved = settings.workersOutliveRounds() ? onRoundSoft(next, round) : onRoundHard(next, round);
        Transition all = obeyed.then(moved);
        Round before = state.round();
        boolean missed = round.number() > (before == null ? 0 : before.number()) + 1;
        boolean ourMaster = round.master()
                .equals(new MasterEndpoint(settings.address(), next.membership().masterPort()));
        // A round that we never worked in, or never saw, has used its endpoint, too; a new hard group gets another
        // anyway.
        boolean stale = settings.workersOutliveRounds() || all.state().group().phase() == GroupState.Phase.PENDING;
        return (ourMaster || missed) && stale ? all.then(Pauses.nextMaster(all.state())) : all;
    }

    private long newestWithoutUs(AgentState state, Round round) {
        boolean isWithoutUs =
                !round.suspended() && state.place(round, settings.nodeId()).isEmpty();
        Round before = state.round();
        boolean isSkipped = round.number() - 1 > (before == null ? 0 : before.number());
        return isWithoutUs ? round.number() : isSkipped ? round.number() - 1 : 0;
    }

    // Whether a worker's request to exclude the node was fulfilled before, and its time is over.
    private boolean isAdmittedAgain(AgentState state, Round round) {
        Round before = state.round();
        boolean wasOut = state.phase() == NodePhase.STANDBY
                || before == null
                || before.participant(settings.nodeId()).isEmpty();
        return wasOut
                && !round.suspended()
                && state.place(round, settings.nodeId()).isPresent();
    }

    private Transition obey(AgentState state, Round round, @Nullable Round before) {
        int generation = state.group().generation();
        // An order to leave applies also when the group started again before the order was known.
        Optional<Order> order = round.order(settings.nodeId())
                .filter(given -> given.kind().isLast()
                        ? given.generation() <= generation
                        : restarts.isFor(given, state.group()));
        if (order.isEmpty()) {
            boolean forgotten = settings.workersOutliveRounds() && restarts.forgotten(state);
            return forgotten ? restarts.restart(state, "no round knows us") : Transition.stay(state);
        }
        return switch (order.get().kind()) {
            case RESTART ->
                switch (state.group().phase()) {
                    case GONE -> restarts.byOrder(state, round);
                    case RUNNING -> stop(state.withPhase(NodePhase.STARTING), round.cause());
                    case PENDING, STOPPING -> Transition.stay(state);
                };
            case REPLACE, SHRINK -> Transition.stay(state);
            case START -> start(state, round, order.get(), before);
            case LEAVE -> endings.begin(state, endings.failureExitCode(), "no restart is left for this node");
            case DRAIN -> endings.onDrain(state, EndRules.DRAINED, "drained by command");
        };
    }

    private Transition start(AgentState state, Round round, Order order, @Nullable Round before) {
        boolean isKnown = before != null
                && before.order(settings.nodeId()).filter(order::equals).isPresent();
        boolean isAwaited = state.phase() == NodePhase.BACKING_OFF
                && order.generation() == state.group().generation();
        return isAwaited && !isKnown ? restarts.backOff(state, round) : Transition.stay(state);
    }

    private Transition onRoundSoft(AgentState state, Round round) {
        GroupState group = state.group();
        if (settings.restarts().elasticWorkers()) {
            return elastic.onRound(state, round, this::follow);
        }
        if (ReplaceRules.isAiling(state)) {
            return replacements.onRound(state, round);
        }
        if (!group.running() || group.failed() || state.phase() == NodePhase.DONE) {
            return Transition.stay(state);
        }
        return follow(state, round);
    }

    /** Workers that can work go with the round. */
    private Transition follow(AgentState state, Round round) {
        Optional<Participant> place = state.place(round, settings.nodeId());
        if (place.isEmpty()) {
            boolean wasIn = state.phase() == NodePhase.ACTIVE || state.phase() == NodePhase.FENCED;
            AgentState out = wasIn ? state.withPhase(NodePhase.STANDBY) : state;
            return out.workingRound() > 0
                    ? Pauses.pause(settings, out, round)
                    : Transition.stay(
                            round.suspended() || out.phase() != NodePhase.READY
                                    ? out
                                    : out.withPhase(NodePhase.STANDBY));
        }
        if (!round.suspended() && state.rounds().acknowledged() >= round.number()) {
            return Transition.stay(state);
        }
        Transition paused = state.workingRound() > 0 ? Pauses.pause(settings, state, round) : Transition.stay(state);
        if (round.suspended()) {
            return paused.then(seen(paused.state(), round));
        }
        return paused.then(work(paused.state(), round, place.get()));
    }

    // This node may have missed that the round was sealed; the coordinator waits for its acknowledgement.
    private static Transition seen(AgentState state, Round round) {
        return Transition.stay(state.with(state.rounds().acknowledging(round)));
    }

    private Transition work(AgentState state, Round round, Participant place) {
        GroupState worked = state.group().withWorked(place).withEvent();
        GroupState group = settings.restarts().elasticWorkers() ? worked : worked.withStartFailures(StartFailures.NONE);
        AgentState next = withoutPeersLost(state)
                .with(group)
                .withPhase(NodePhase.ACTIVE)
                .with(state.rounds().workingIn(round));
        String cause = state.rounds().lostMembers().causeOf(round);
        return Transition.to(
                next,
                "working in round " + round.number() + " from rank " + place.firstRank() + " of " + round.worldSize(),
                new AgentEffect.Work(group.generation(), group.eventSeq(), round, cause, sources(state, round, place)),
                published(round, place, cause));
    }

    /** The node of rank 0 fetches what no node of the round has; the others receive it from its workers. */
    private static List<StateSource> sources(AgentState state, Round round, Participant place) {
        Checkpoints own = state.checkpoints();
        return round.ranks().sources().stream()
                .filter(source -> place.firstRank() == 0
                        && (source.isAheadOf(own.newest()) || (own.isInDoubt() && source.wasMember())))
                .toList();
    }

    private static AgentEffect published(Round round, Participant place, String cause) {
        return new AgentEffect.Log(new RunEvent.WorkPublished(
                cause,
                round.causes(),
                round.world(),
                round.worldSize(),
                place.firstRank(),
                place.seats().stream().map(Participant.Seat::slot).toList()));
    }

    private Transition onRoundHard(AgentState state, Round round) {
        GroupState group = state.group();
        if (state.phase() == NodePhase.DONE
                || state.phase() == NodePhase.BROKEN
                || state.phase() == NodePhase.BACKING_OFF) {
            return Transition.stay(state);
        }
        if (round.suspended()) {
            return onSuspendedHard(state, round);
        }
        Optional<Participant> place = state.place(round, settings.nodeId());
        if (place.isEmpty()) {
            if (group.running() && state.rounds().acknowledged() < round.number()) {
                return stop(state, "not in round " + round.number());
            }
            return Transition.stay(state.phase() == NodePhase.READY ? state.withPhase(NodePhase.STANDBY) : state);
        }
        if (group.phase() != GroupState.Phase.PENDING || state.rounds().acknowledged() >= round.number()) {
            return Transition.stay(state);
        }
        GroupState running = group.withPhase(GroupState.Phase.RUNNING)
                .withWorked(place.get())
                .withEvent();
        AgentState next = state.with(running)
                .withPhase(NodePhase.ACTIVE)
                .with(state.rounds().workingIn(round));
        String cause = state.rounds().lostMembers().causeOf(round);
        return Transition.to(
                next,
                "starting workers of round " + round.number() + " from rank "
                        + place.get().firstRank() + " of " + round.worldSize(),
                new AgentEffect.StartGroup(group.generation(), round, cause, sources(state, round, place.get())),
                published(round, place.get(), cause));
    }

    private Transition onSuspendedHard(AgentState state, Round round) {
        GroupState group = state.group();
        if (round.participant(settings.nodeId()).isEmpty()) {
            // Left out: only with fresh workers is it one that can come back.
            return group.running() ? stop(state, "left out of round " + round.number()) : Transition.stay(state);
        }
        if (state.rounds().stopped() >= round.number()) {
            return Transition.stay(state);
        }
        return switch (group.phase()) {
            case RUNNING -> stop(state, round.cause());
            case STOPPING -> Transition.stay(state);
            // Nothing runs: the groups of that round are gone. In STARTING, the event PortsReserved reports the stop.
            case PENDING ->
                state.phase() == NodePhase.STARTING
                        ? Transition.stay(state)
                        : Transition.stay(state.with(state.rounds().stoppedUpTo(round.number())));
            case GONE -> restarts.renew(state, "round " + round.number() + " was stopped");
        };
    }

    private Transition stop(AgentState state, String cause) {
        GroupState stopping = state.group().withPhase(GroupState.Phase.STOPPING);
        return Transition.to(
                state.with(stopping).idle(),
                "stopping all workers: " + cause,
                new AgentEffect.StopGroup(
                        stopping.generation(), settings.times().shutdown()),
                new AgentEffect.Log(new RunEvent.WorkersStopping(cause)));
    }

    Transition onFenced(AgentState state) {
        AgentEffect log = new AgentEffect.Log(new RunEvent.NodeFenced(state.workingRound()));
        if (state.isEnding() || !settings.workersOutliveRounds() || state.workingRound() == 0) {
            return Transition.to(state, "lease deadline passed", log);
        }
        // Links broke because nodes were fenced, and all dial again when the round resumes.
        return Pauses.pause(
                        settings,
                        withoutPeersLost(state),
                        WorldChange.NONE,
                        PauseKind.CHANGE,
                        "the node's lease is in doubt")
                .and(log);
    }

    Transition onRestored(AgentState state, boolean stalled) {
        AgentEffect log = new AgentEffect.Log(new RunEvent.NodeRestored(stalled));
        Round round = state.round();
        boolean paused = settings.workersOutliveRounds()
                && state.group().running()
                && state.phase() == NodePhase.ACTIVE
                && state.workingRound() == 0;
        if (state.isEnding() || !paused || round == null || round.suspended()) {
            return Transition.to(state, "lease renewed after all", log);
        }
        if (stalled) {
            return Transition.to(state.withPhase(NodePhase.FENCED), "this agent stalled: asking for a new round", log);
        }
        Optional<Participant> place = state.place(round, settings.nodeId());
        if (place.isPresent()
                && settings.restarts().elasticWorkers()
                && ElasticWorkerRules.lacksOne(state, place.get())) {
            return Transition.to(state, "lease renewed, but a worker of round " + round.number() + " has failed", log);
        }
        return place.map(
                        participant -> workAfterDoubt(state, round, participant).and(log))
                .orElseGet(() ->
                        Transition.to(state, "lease renewed, but round " + round.number() + " is without us", log));
    }

    // Peers whose leases were not in doubt miss this node's workers, and wait for another round: reported to the
    // coordinator.
    private Transition workAfterDoubt(AgentState state, Round round, Participant place) {
        Transition working = work(state, round, place);
        if (round.participants().size() == 1) {
            return working;
        }
        List<PeerLost> doubt = List.of(PeerLost.ofDoubt(round.number(), place.firstRank()));
        AgentState.Reports reports = working.state().reports().withPeersLost(doubt);
        return working.then(Transition.stay(working.state().with(reports)))
                .and(new AgentEffect.Schedule(
                        MISSED_WITHIN,
                        new AgentEvent.DoubtOver(
                                round.number(), working.state().group().eventSeq())));
    }

    /** Peers that missed this node's workers have reported it by now: what is lost from now on has other causes. */
    static Transition onDoubtOver(AgentState state, AgentEvent.DoubtOver over) {
        if (state.group().eventSeq() != over.eventSeq()) {
            return Transition.stay(state);
        }
        List<PeerLost> others = state.reports().peersLost().stream()
                .filter(lost -> lost.round() != over.round() || !lost.isDoubt())
                .toList();
        return Transition.stay(state.with(state.reports().withPeersLost(others)));
    }

    Transition onMembershipLost(AgentState state) {
        AgentEffect log = new AgentEffect.Log(new RunEvent.NodeLost(state.workingRound()));
        if (state.isEnding()) {
            return pauseTheLast(state);
        }
        // Rounds that we have not seen may have used our endpoint, and the next one may name us before we see any.
        Transition lost = loseMembership(state.with(state.membership().lost()), log);
        return lost.then(Pauses.nextMaster(lost.state()));
    }

    // Workers of an agent that ends run until their grace is over. The node may register again meanwhile, and the lease
    // of that registration is not one for the round that they were sent to.
    private Transition pauseTheLast(AgentState state) {
        AgentState lost = state.with(state.membership().lost());
        GroupState.Phase phase = state.group().phase();
        boolean runs = phase == GroupState.Phase.RUNNING || phase == GroupState.Phase.STOPPING;
        return settings.workersOutliveRounds() && runs && state.identity() != null
                ? Pauses.pause(settings, lost, WorldChange.NONE, PauseKind.CHANGE, "the node's lease ended")
                : Transition.stay(lost);
    }

    private Transition loseMembership(AgentState state, AgentEffect log) {
        String reason = "the node's lease ended; joining again";
        if (!settings.workersOutliveRounds()) {
            boolean working = state.group().running() && state.phase() != NodePhase.DONE;
            Transition stopped = working ? stop(state, reason) : Transition.stay(state);
            return stopped.then(Transition.noticed(stopped.state(), LOST, log));
        }
        Transition paused = state.workingRound() > 0
                ? Pauses.pause(settings, state, WorldChange.NONE, PauseKind.CHANGE, reason)
                : Transition.stay(state);
        AgentState out = paused.state();
        boolean fit = settings.restarts().elasticWorkers()
                ? out.group().anyFit()
                : out.group().allReady() && !out.group().failed();
        boolean usable = out.group().running() && fit;
        boolean settled = out.phase() == NodePhase.DONE
                || out.phase() == NodePhase.BROKEN
                || out.phase() == NodePhase.BACKING_OFF;
        AgentState next = settled ? out : out.withPhase(usable ? NodePhase.READY : NodePhase.STARTING);
        return paused.then(Transition.noticed(withoutPeersLost(next), LOST, log));
    }

    private static AgentState withoutPeersLost(AgentState state) {
        return state.with(state.reports().withPeersLost(List.of()));
    }
}
