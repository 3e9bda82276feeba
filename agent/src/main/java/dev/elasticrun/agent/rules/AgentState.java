/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * All that an agent knows, at one moment.
 *
 * @param membership its node's role in the run
 * @param group its workers
 * @param rounds where it is in the sequence of rounds
 * @param checkpoints what the run has completed and lost
 * @param reports reports of its workers for other nodes
 * @param ending set once the agent ends
 */
public record AgentState(
        Membership membership,
        GroupState group,
        RoundProgress rounds,
        Checkpoints checkpoints,
        Reports reports,
        @Nullable Ending ending) {

    /**
     * The node's role in the run.
     *
     * @param phase as the agent reports its node
     * @param identity the run that it has joined; null before
     * @param life create revision of the node's key; 0 = not registered now
     * @param masterPort reserved for rank 0 of the next round; 0 = none yet
     */
    public record Membership(NodePhase phase, @Nullable RunIdentity identity, long life, int masterPort) {
        Membership withPhase(NodePhase value) {
            return new Membership(value, identity, life, masterPort);
        }

        Membership joined(RunIdentity run, long createRevision) {
            return new Membership(phase, run, createRevision, masterPort);
        }

        /** The lease ended. */
        Membership lost() {
            return new Membership(phase, identity, 0, masterPort);
        }

        Membership withMasterPort(int port) {
            return new Membership(phase, identity, life, port);
        }
    }

    /**
     * Reports of the workers for the coordinator.
     *
     * @param peersLost peers that they miss in a round
     * @param stopRun the first request to end the run; null = there is none
     * @param excluded why a worker requested the exclusion of this node from the run; empty = none did since the node
     *     last began to work
     */
    public record Reports(
            List<PeerLost> peersLost, @Nullable Failure stopRun, String excluded) {
        static final Reports NONE = new Reports(List.of(), null, "");

        public Reports {
            peersLost = List.copyOf(peersLost);
        }

        Reports withPeersLost(List<PeerLost> value) {
            return new Reports(value, stopRun, excluded);
        }

        /** The run is to end, unless that was requested before. */
        Reports stopping(Failure cause) {
            return new Reports(peersLost, stopRun == null ? cause : stopRun, excluded);
        }

        /** A worker wants this node out, unless one did before. */
        Reports excluding(String reason) {
            return new Reports(peersLost, stopRun, excluded.isEmpty() ? reason : excluded);
        }

        /** The wish to leave the node out was fulfilled, and its time is over. */
        Reports admitted() {
            return new Reports(peersLost, stopRun, "");
        }
    }

    /**
     * How the agent ends.
     *
     * @param stopped whether an operator ended the whole run
     * @param groupStopped whether its processes are gone, so that only the goodbye is left
     */
    public record Ending(int exitCode, String reason, boolean stopped, boolean groupStopped) {
        /** Its processes still run, and the run may continue. */
        public Ending(int exitCode, String reason) {
            this(exitCode, reason, false, false);
        }

        /** Whether this agent leaves a run that continues, or is assumed to continue. */
        public boolean leaves() {
            return !stopped && (exitCode == ExitCode.DRAINED.code() || exitCode == ExitCode.INTERRUPTED.code());
        }
    }

    public static AgentState initial(AgentSettings settings) {
        return new AgentState(
                new Membership(NodePhase.STARTING, null, 0, 0),
                GroupState.first(settings.processes()),
                RoundProgress.NONE,
                Checkpoints.NONE,
                Reports.NONE,
                null);
    }

    /** What the node publishes in this state. */
    public NodeRecord toRecord(AgentSettings settings, int controlPort) {
        return new NodeRecord(
                new NodeSpec(
                        settings.nodeId(),
                        settings.node().hostLabel(),
                        settings.address(),
                        controlPort,
                        settings.role(),
                        settings.slots()),
                membership.phase(),
                new NodeRecord.Group(
                        group.generation(),
                        group.workers().stream()
                                .map(worker ->
                                        toRecord(worker, settings.restarts().elasticWorkers()))
                                .toList(),
                        group.failures(),
                        membership.masterPort()),
                new NodeRecord.Rounds(rounds.acknowledged(), rounds.stopped()),
                new NodeRecord.Reports(
                        reports.peersLost(),
                        reports.stopRun(),
                        reports.excluded(),
                        settings.node().wishedPlace()),
                checkpoints.recorded(),
                NodeRecord.Publication.NONE);
    }

    // Where workers end together, the record is not written for each of them.
    private WorkerRecord toRecord(WorkerView worker, boolean isElastic) {
        boolean isDone = worker.succeeded() && (isElastic || phase() == NodePhase.DONE);
        return new WorkerRecord(
                worker.slot(),
                worker.attempt(),
                worker.pid(),
                worker.port(),
                worker.fit() || !isElastic,
                isDone ? checkpoints.agreedRound() : 0);
    }

    /** The place that a round has for these workers of this life of the node. */
    public Optional<Participant> place(Round inRound, String nodeId) {
        return inRound.participant(nodeId)
                .filter(place -> place.createRevision() == membership.life() && group.has(place.seats()));
    }

    /** The rank of that worker in the newest round; -1 = none. */
    public int rank(WorkerView worker, String nodeId) {
        Round newest = round();
        return newest == null
                ? -1
                : place(newest, nodeId)
                        .map(place -> place.rankOf(worker.slot(), worker.attempt()))
                        .orElse(OptionalInt.empty())
                        .orElse(-1);
    }

    /** The place of rank 0 while this node's workers work in the newest round; empty where it works elsewhere. */
    public Optional<Participant.Seat> seatOfRank0(String nodeId) {
        Round newest = round();
        return newest == null || workingRound() == 0
                ? Optional.empty()
                : place(newest, nodeId).filter(place -> place.firstRank() == 0).map(place -> place.seatOf(0));
    }

    public NodePhase phase() {
        return membership.phase();
    }

    @Nullable
    public RunIdentity identity() {
        return membership.identity();
    }

    /** Newest round that it saw; null before the first. */
    @Nullable
    public Round round() {
        return rounds.newest();
    }

    /** The round that its workers work in; 0 = they are paused or not started. */
    public long workingRound() {
        return rounds.working();
    }

    public boolean isEnding() {
        return ending != null;
    }

    AgentState withPhase(NodePhase value) {
        return with(membership.withPhase(value));
    }

    /** Its workers work in no round. */
    AgentState idle() {
        return with(rounds.idle());
    }

    /** With another phase the node's record is written, which then reports the newest checkpoint. */
    AgentState with(Membership value) {
        Checkpoints published = value.phase() == phase() ? checkpoints : checkpoints.published();
        return new AgentState(value, group, rounds, published, reports, ending);
    }

    AgentState with(GroupState value) {
        return new AgentState(membership, value, rounds, checkpoints, reports, ending);
    }

    /** With another acknowledged round the node's record is written, which then reports the newest checkpoint. */
    AgentState with(RoundProgress value) {
        Checkpoints published = value.acknowledged() == rounds.acknowledged() ? checkpoints : checkpoints.published();
        return new AgentState(membership, group, value, published, reports, ending);
    }

    AgentState with(Checkpoints value) {
        return new AgentState(membership, group, rounds, value, reports, ending);
    }

    AgentState with(Reports value) {
        return new AgentState(membership, group, rounds, checkpoints, value, ending);
    }

    AgentState with(Ending value) {
        return new AgentState(membership, group, rounds, checkpoints, reports, value);
    }
}
