/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.List;
import java.util.Map;

/** Something that happened to an agent. Each names the method of the rules that answers it, so that no event is without one. */
public sealed interface AgentEvent {

    Transition applyTo(Handler handler, AgentState state);

    /** One method for each kind of event. Pure: what follows is in the transition. */
    interface Handler {
        Transition onLaunched(AgentState state);

        Transition onPortsReserved(AgentState state, PortsReserved event);

        Transition onJoined(AgentState state, Joined event);

        Transition onRound(AgentState state, Round round);

        Transition onVerdict(AgentState state, Verdict verdict);

        Transition onRestored(AgentState state, boolean stalled);

        Transition onFenced(AgentState state);

        Transition onMembershipLost(AgentState state);

        Transition onWorkerStarted(AgentState state, WorkerStarted event);

        Transition onWorkerReported(AgentState state, WorkerReported event);

        Transition onWorkerFault(AgentState state, WorkerFault event);

        Transition onCheckpointHeld(AgentState state, CheckpointId held);

        Transition onCheckpointCopied(AgentState state, CheckpointCopied copied);

        Transition onWorkerEnded(AgentState state, WorkerEnded event);

        Transition onWorkerGone(AgentState state, WorkerGone event);

        Transition onGroupGone(AgentState state, int generation);

        Transition onWorkersStuck(AgentState state, WorkersStuck event);

        Transition onPauseExpired(AgentState state, PauseExpired event);

        Transition onReadyExpired(AgentState state, ReadyExpired event);

        Transition onPeerLostDue(AgentState state, PeerLostDue event);

        Transition onDoubtOver(AgentState state, DoubtOver event);

        Transition onRestartDue(AgentState state, int generation);

        Transition onBackOffOver(AgentState state, int generation);

        Transition onDrain(AgentState state, int exitCode);

        Transition onLeaveDue(AgentState state);

        Transition onAborted(AgentState state, int exitCode, String reason);
    }

    /** The agent was started. */
    record Launched() implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onLaunched(state);
        }
    }

    /** Ports are held for the next round: one for rank 0, and under {@code hard} one per worker. */
    record PortsReserved(int masterPort, List<Integer> workerPorts) implements AgentEvent {
        public PortsReserved {
            workerPorts = List.copyOf(workerPorts);
        }

        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onPortsReserved(state, this);
        }
    }

    /** @param createRevision this life of the node */
    record Joined(RunIdentity identity, long createRevision) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onJoined(state, this);
        }
    }

    record RoundPublished(Round round) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onRound(state, round);
        }
    }

    record VerdictReached(Verdict verdict) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onVerdict(state, verdict);
        }
    }

    record Restored(boolean stalled) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onRestored(state, stalled);
        }
    }

    record Fenced() implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onFenced(state);
        }
    }

    record MembershipLost() implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onMembershipLost(state);
        }
    }

    /** @param attempt generation in which the worker was started */
    record WorkerStarted(int attempt, int slot, long pid) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onWorkerStarted(state, this);
        }
    }

    /** @param attempt generation in which the worker was started */
    record WorkerReported(int attempt, int slot, UpMessage message) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onWorkerReported(state, this);
        }
    }

    /** The agent found why a worker is of no use any more, and kills it. */
    record WorkerFault(int attempt, int slot, Failure.Evidence evidence) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onWorkerFault(state, this);
        }
    }

    /** The node's files have this checkpoint. */
    record CheckpointHeld(CheckpointId newest) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onCheckpointHeld(state, newest);
        }
    }

    /**
     * The node's files have this checkpoint, which came from another node: that is worth a record.
     *
     * @param since the newest round in which the run lost all its state, according to that node; 0 = none
     */
    record CheckpointCopied(CheckpointId newest, long since) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onCheckpointCopied(state, this);
        }
    }

    /**
     * A worker ended, or could not be started.
     *
     * @param attempt generation in which it was started
     * @param exitCode 128+n for signal n; -1 = never started
     * @param heldMillis how long ago the process ended
     */
    record WorkerEnded(int attempt, int slot, int exitCode, Failure.Evidence evidence, long heldMillis)
            implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onWorkerEnded(state, this);
        }
    }

    /** No process of that worker's process group is left. */
    record WorkerGone(int attempt, int slot) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onWorkerGone(state, this);
        }
    }

    /** No process of the group is left. */
    record GroupGone(int generation) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onGroupGone(state, generation);
        }
    }

    /**
     * Processes of these workers outlived KILL, and the agent has stopped waiting for them.
     *
     * @param attempts generation in which each was started, by slot
     * @param message which they are, as text
     */
    record WorkersStuck(Map<Integer, Integer> attempts, String message) implements AgentEvent {
        public WorkersStuck {
            attempts = Map.copyOf(attempts);
        }

        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onWorkersStuck(state, this);
        }
    }

    /** Workers had time enough to acknowledge this PAUSE; those of later generations never got it. */
    record PauseExpired(int generation, long seq) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onPauseExpired(state, this);
        }
    }

    /** A worker had time enough to load. */
    record ReadyExpired(int attempt, int slot) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onReadyExpired(state, this);
        }
    }

    /**
     * A round had time enough to answer what a worker reported.
     *
     * @param eventSeq newest event of the group when it did
     */
    record PeerLostDue(PeerLost report, long eventSeq) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onPeerLostDue(state, this);
        }
    }

    /**
     * A fixed time has passed since the round resumed although the lease had been in doubt.
     *
     * @param eventSeq of the event with which it resumed: another doubt in the same round has a time of its own
     */
    record DoubtOver(long round, long eventSeq) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onDoubtOver(state, this);
        }
    }

    /** The back-off before workers are started again is over. */
    record RestartDue(int generation) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onRestartDue(state, generation);
        }
    }

    /** The back-off of a node that may start its workers again is over. */
    record BackOffOver(int generation) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onBackOffOver(state, generation);
        }
    }

    /** @param exitCode 128 + number of the signal that asked for it */
    record DrainRequested(int exitCode) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onDrain(state, exitCode);
        }
    }

    /** Peers had time enough to continue without this node. */
    record LeaveDue() implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onLeaveDue(state);
        }
    }

    /** The agent cannot continue: refused, store lost, or its own error. */
    record Aborted(int exitCode, String reason) implements AgentEvent {
        @Override
        public Transition applyTo(Handler handler, AgentState state) {
            return handler.onAborted(state, exitCode, reason);
        }
    }
}
