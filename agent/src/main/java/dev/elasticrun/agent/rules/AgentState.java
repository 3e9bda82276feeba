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
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that an agent knows, at one moment.
 *
 * @param phase what the agent says of its node
 * @param identity the run that it has joined; null before
 * @param life create revision of the node's key; 0 = not registered now
 * @param group its workers
 * @param round newest round that it saw; null before the first
 * @param workingRound the round that its workers were told to work in; 0 = they are paused or not started
 * @param acknowledged newest round that it acted on
 * @param stoppedRound rounds up to this one have no process left here
 * @param masterPort reserved for rank 0 of the next round; 0 = none yet
 * @param startFailures failures before work, in a row
 * @param toldCheckpoint newest checkpoint of its workers that the record tells of: what was newest when the phase or the
 *     acknowledged round changed last, since the record is written for that anyway
 * @param checkpoint newest that its workers told of, or that all were lost
 * @param stopRun a worker's request to end the run
 * @param excluded why a worker wanted this node out of the run; empty = none did since it last went to work
 * @param lostMembers who left between the round before the newest sealed one and that
 * @param statesLost what the run lost while this agent was in it, in order
 * @param progressBudget how long the run has made no progress
 * @param ending set once the agent is on its way out
 */
public record AgentState(
        NodePhase phase,
        @Nullable RunIdentity identity,
        long life,
        GroupState group,
        @Nullable Round round,
        long workingRound,
        long acknowledged,
        long stoppedRound,
        int masterPort,
        int startFailures,
        RunVersion toldCheckpoint,
        RunVersion checkpoint,
        List<PeerLost> peersLost,
        @Nullable Failure stopRun,
        String excluded,
        LostMembers lostMembers,
        List<LostState> statesLost,
        ProgressBudget progressBudget,
        @Nullable Ending ending) {

    /**
     * How the agent ends.
     *
     * @param stopped whether an operator ended the whole run
     * @param groupStopped whether its processes are gone, so that only the goodbye is left
     */
    public record Ending(int exitCode, String reason, boolean stopped, boolean groupStopped) {
        /** Its processes still run, and the run may go on. */
        public Ending(int exitCode, String reason) {
            this(exitCode, reason, false, false);
        }

        /** Whether this agent leaves a run that goes on, or is taken to. */
        public boolean leaves() {
            return !stopped && (exitCode == ExitCode.DRAINED.code() || exitCode == ExitCode.INTERRUPTED.code());
        }
    }

    public AgentState {
        peersLost = List.copyOf(peersLost);
        statesLost = List.copyOf(statesLost);
    }

    public static AgentState initial(AgentSettings settings) {
        return new AgentState(
                NodePhase.STARTING,
                null,
                0,
                GroupState.pending(0, settings.slots(), List.of()),
                null,
                0,
                0,
                0,
                0,
                0,
                RunVersion.NONE,
                RunVersion.NONE,
                List.of(),
                null,
                "",
                LostMembers.NOBODY,
                List.of(),
                ProgressBudget.NONE,
                null);
    }

    /** What the node publishes in this state. */
    public NodeRecord toRecord(AgentSettings settings, int controlPort) {
        return new NodeRecord(
                new NodeSpec(
                        settings.nodeId(),
                        settings.hostLabel(),
                        settings.address(),
                        controlPort,
                        settings.role(),
                        settings.slots()),
                phase,
                new NodeRecord.Group(
                        group.generation(),
                        group.workers().stream()
                                .map(worker ->
                                        new WorkerRecord(worker.slot(), worker.attempt(), worker.pid(), worker.port()))
                                .toList(),
                        group.failures(),
                        masterPort),
                new NodeRecord.Rounds(acknowledged, stoppedRound),
                new NodeRecord.Reports(peersLost, stopRun, excluded),
                toldCheckpoint,
                NodeRecord.Publication.NONE);
    }

    /** The place that a round has for this worker group of this life of the node. */
    public Optional<Participant> place(Round inRound, String nodeId) {
        return inRound.participant(nodeId)
                .filter(place -> place.createRevision() == life && place.generation() == group.generation());
    }

    public boolean isEnding() {
        return ending != null;
    }

    AgentState withPhase(NodePhase value) {
        return copy().phase(value).build();
    }

    AgentState withGroup(GroupState value) {
        return copy().group(value).build();
    }

    Copy copy() {
        return new Copy(this);
    }

    /** A state that differs in a few components. */
    static final class Copy {
        private final AgentState from;
        private NodePhase phase;
        private @Nullable RunIdentity identity;
        private long life;
        private GroupState group;
        private @Nullable Round round;
        private long workingRound;
        private long acknowledged;
        private long stoppedRound;
        private int masterPort;
        private int startFailures;
        private RunVersion checkpoint;
        private List<PeerLost> peersLost;
        private @Nullable Failure stopRun;
        private String excluded;
        private LostMembers lostMembers;
        private List<LostState> statesLost;
        private ProgressBudget progressBudget;
        private @Nullable Ending ending;

        private Copy(AgentState from) {
            this.from = from;
            phase = from.phase;
            identity = from.identity;
            life = from.life;
            group = from.group;
            round = from.round;
            workingRound = from.workingRound;
            acknowledged = from.acknowledged;
            stoppedRound = from.stoppedRound;
            masterPort = from.masterPort;
            startFailures = from.startFailures;
            checkpoint = from.checkpoint;
            peersLost = from.peersLost;
            stopRun = from.stopRun;
            excluded = from.excluded;
            lostMembers = from.lostMembers;
            statesLost = from.statesLost;
            progressBudget = from.progressBudget;
            ending = from.ending;
        }

        Copy phase(NodePhase value) {
            phase = value;
            return this;
        }

        Copy identity(RunIdentity value) {
            identity = value;
            return this;
        }

        Copy life(long value) {
            life = value;
            return this;
        }

        Copy group(GroupState value) {
            group = value;
            return this;
        }

        Copy round(Round value) {
            round = value;
            return this;
        }

        Copy workingRound(long value) {
            workingRound = value;
            return this;
        }

        Copy acknowledged(long value) {
            acknowledged = value;
            return this;
        }

        Copy stoppedRound(long value) {
            stoppedRound = value;
            return this;
        }

        Copy masterPort(int value) {
            masterPort = value;
            return this;
        }

        Copy startFailures(int value) {
            startFailures = value;
            return this;
        }

        /** The newest wins. */
        Copy checkpoint(RunVersion value) {
            checkpoint = checkpoint.orNewer(value);
            return this;
        }

        Copy peersLost(List<PeerLost> value) {
            peersLost = value;
            return this;
        }

        Copy stopRun(Failure value) {
            stopRun = value;
            return this;
        }

        Copy excluded(String value) {
            excluded = value;
            return this;
        }

        Copy lostMembers(LostMembers value) {
            lostMembers = value;
            return this;
        }

        Copy statesLost(List<LostState> value) {
            statesLost = value;
            return this;
        }

        Copy progressBudget(ProgressBudget value) {
            progressBudget = value;
            return this;
        }

        Copy ending(Ending value) {
            ending = value;
            return this;
        }

        AgentState build() {
            boolean allLost = checkpoint.since() != from.checkpoint.since();
            boolean recordChanges = phase != from.phase || acknowledged != from.acknowledged || allLost;
            return new AgentState(
                    phase,
                    identity,
                    life,
                    group,
                    round,
                    workingRound,
                    acknowledged,
                    stoppedRound,
                    masterPort,
                    startFailures,
                    recordChanges ? checkpoint : from.toldCheckpoint,
                    checkpoint,
                    peersLost,
                    stopRun,
                    excluded,
                    lostMembers,
                    statesLost,
                    progressBudget,
                    ending);
        }
    }
}
