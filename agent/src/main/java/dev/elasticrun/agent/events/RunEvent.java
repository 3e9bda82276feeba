/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.events;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.List;
import java.util.Optional;

/**
 * One thing that happened in a run, as the agent that wrote it saw it. The kind that a line of {@code events.jsonl} names
 * is the name of the type, and its fields are the components, as {@link EventFields} has them. {@code docs/events.md} has
 * the table.
 */
public sealed interface RunEvent {

    /** As in a line of the log, like {@code worker.started}. */
    default String kind() {
        return EventFields.kind(getClass());
    }

    /** A worker of the node, by its local rank and the generation of the group in which it was started. */
    record Worker(int slot, int attempt) {}

    /** About one worker of the node. */
    sealed interface OfWorker extends RunEvent {
        Worker worker();
    }

    /** Workers of the node failed. */
    sealed interface OfFailure extends RunEvent {}

    /** The run began to wait or work in a round, for one or several causes. */
    sealed interface OfCauses extends RunEvent {
        /** One line, for display only. */
        String cause();

        List<Cause> causes();
    }

    /** A coordinator wrote a round. */
    sealed interface OfRound extends OfCauses {
        int worldSize();

        List<String> nodes();

        /** Restarts used by then. */
        int budgetUsed();
    }

    /** How far a worker was that does not work any more. */
    sealed interface OfProgress extends OfWorker {
        /** Newest that it reported; 0 = none. */
        long step();

        /** Of the newest checkpoint that it held; 0 = none. */
        long version();
    }

    /** The end of the run or of an agent. */
    sealed interface OfEnd extends RunEvent {
        int exitCode();

        String reason();
    }

    /**
     * This agent became part of the run.
     *
     * @param pid of the agent
     * @param slots workers of the node
     */
    record RunJoined(String host, long pid, int slots, Policy policy, Limits limits) implements RunEvent {}

    /** @param restartsAll whether it starts all workers with each round */
    record Policy(String policy, boolean restartsAll) {}

    /**
     * @param restartWindowMs how long a restart counts; 0 = for as long as the run
     * @param restartRefundMs for how much progress one comes back; 0 = none does
     */
    record Limits(int minNodes, int maxNodes, int maxRestarts, long restartWindowMs, long restartRefundMs) {}

    /** This coordinator has no round to work in. */
    record RunWaiting(String message) implements RunEvent {}

    record CoordinatorElected() implements RunEvent {}

    record CoordinatorChanged(String coordinator) implements RunEvent {}

    /**
     * @param rank in the newest round; -1 = none
     * @param end of its process
     * @param found what is known of the failure
     * @param collateral a consequence of another failure
     * @param heldMs milliseconds from the end to this report
     */
    record WorkerFailed(Worker worker, int rank, WorkerEnd end, Found found, boolean collateral, long heldMs)
            implements OfWorker, OfFailure {}

    /**
     * @param pid 0 = never started
     * @param exitCode 128+n for signal n; -1 = never started, or still running
     */
    record WorkerEnd(long pid, int exitCode) {}

    /** @param saved file that the agent saved before it killed the worker */
    record Found(FailureKind how, String message, Optional<String> saved) {}

    /**
     * Workers did not acknowledge PAUSE.
     *
     * @param seconds that they had
     */
    record PauseExpired(List<Integer> slots, long seconds) implements OfFailure {}

    /** This coordinator decided on a round. */
    record RoundDecided(String cause, List<Cause> causes, long nextRound, boolean suspended) implements OfCauses {}

    /** PAUSE was written for the workers. */
    record IncidentPaused(String cause, long pausedRound) implements RunEvent {}

    /**
     * @param version newest checkpoint that the worker holds; 0 = none
     * @param step newest that it reported; 0 = none
     * @param workerNanos when it did that, on the monotonic clock of the host
     */
    record PauseAcknowledged(Worker worker, long seq, long version, long step, long workerNanos)
            implements OfProgress {}

    /** This coordinator wrote a round in which workers work. */
    record RoundSealed(String cause, List<Cause> causes, int worldSize, List<String> nodes, int budgetUsed)
            implements OfRound {}

    /** This coordinator wrote a round in which workers wait. */
    record RoundSuspended(String cause, List<Cause> causes, int worldSize, List<String> nodes, int budgetUsed)
            implements OfRound {}

    /**
     * WORK was written for the workers, or they are started in the round.
     *
     * @param world the round in which ranks last changed
     * @param rank of the node's first worker in the round
     * @param slots its workers in the round; the ranks of the others follow in this order
     */
    record WorkPublished(String cause, List<Cause> causes, long world, int worldSize, int rank, List<Integer> slots)
            implements OfCauses {
        public WorkPublished {
            slots = List.copyOf(slots);
        }
    }

    record WorkerStarted(Worker worker, long pid) implements OfWorker {}

    /**
     * @param asked its agent ended it
     * @param step newest that it reported; 0 = none
     * @param version newest checkpoint that it reported; 0 = none
     */
    record WorkerExited(Worker worker, WorkerEnd end, boolean asked, long step, long version) implements OfProgress {}

    /**
     * Workers of this node that are started from now on use an archive of their classes.
     *
     * @param bytes of the archive
     * @param millis that it took to make and check it
     */
    record ClassDataArchived(long bytes, long millis) implements RunEvent {}

    /** There is no such archive; workers start without it. */
    record ClassDataFailed(String message) implements RunEvent {}

    record WorkerReady(Worker worker, int port) implements OfWorker {}

    /** A worker completed its first collective operation in a round. */
    record WorkerResumed(Worker worker, int rank, long resumedRound, long version, long workerNanos)
            implements OfWorker {}

    /** A worker reported the first step of a round, or the first after a pause in it. */
    record WorkerProgressed(Worker worker, int rank, long step, long total) implements OfWorker {}

    /**
     * What a worker's program published: of rank 0 every half minute, of each worker at its end.
     *
     * @param step newest that it reported; 0 = none
     * @param value empty = not a number, or infinite
     */
    record WorkerMetric(Worker worker, long step, String name, Optional<Double> value) implements OfWorker {}

    /** @param answered the worker received PAUSE, or WORK, before it was reported */
    record PeerLost(Worker worker, int lostRank, long lostRound, boolean answered) implements OfWorker {}

    record WorkersStopping(String cause) implements RunEvent {}

    record WorkersGone(int generation) implements RunEvent {}

    /** Processes outlived KILL. */
    record WorkersStuck(List<Integer> slots, String message) implements RunEvent {}

    record NodeDraining(int exitCode) implements RunEvent {}

    /** The node's lease is in doubt. */
    record NodeFenced(long workingRound) implements RunEvent {}

    /**
     * The node's lease was renewed after all.
     *
     * @param stalled whether the agent itself was stalled
     */
    record NodeRestored(boolean stalled) implements RunEvent {}

    /** The node's lease ended. */
    record NodeLost(long workingRound) implements RunEvent {}

    record StoreTrouble(String message) implements RunEvent {}

    record StoreWell(String message) implements RunEvent {}

    /** @param end when */
    record CertificateEnding(String message, String end) implements RunEvent {}

    record CertificateEnded(String message, String end) implements RunEvent {}

    /**
     * This coordinator does not put a node that is ready into a round for now.
     *
     * @param seconds for how long; empty = its time has not begun
     */
    record NodeKeptOut(String kept, String why, Optional<Long> seconds) implements RunEvent {}

    /**
     * Workers of this node failed to start again and again: it waits before it starts them again.
     *
     * @param budgetUsed restarts that count, with the one for this
     */
    record NodeBackingOff(String reason, long delayMs, int budgetUsed, int maxRestarts) implements RunEvent {}

    /** This coordinator recorded that restarts came back by progress. */
    record RestartsReturned(int count, int budgetUsed, int maxRestarts) implements RunEvent {}

    /** @param dead another node */
    record NodeProvedDead(String dead, String evidence) implements RunEvent {}

    /**
     * A newer checkpoint than the round's nodes have came from the agent of a node without a rank.
     *
     * @param version newest that is here now
     * @param bytes of all files
     */
    record CheckpointFetched(String from, long version, long bytes, long millis) implements RunEvent {}

    /**
     * A node without a rank has a copy of a checkpoint for the first time since it had none, or had a rank.
     *
     * @param version newest that is here now
     * @param bytes of all files
     */
    record CheckpointCopied(String from, long version, long bytes, long millis) implements RunEvent {}

    /**
     * No node that has a newer checkpoint sent it within {@code --state-wait}: the round goes back.
     *
     * @param from nodes that were asked
     * @param version newest that one of them has
     * @param stepsBack versions by which the round goes back
     */
    record CheckpointUnreachable(List<String> from, long version, long stepsBack, String why, long millis)
            implements RunEvent {
        public CheckpointUnreachable {
            from = List.copyOf(from);
        }
    }

    /** A round began with nothing of what the run had. */
    record StateLost(Worker worker, Loss loss) implements OfWorker {}

    /**
     * A round began without some ranks' local states.
     *
     * @param ranks of the world that made the checkpoint
     */
    record StateLocalLost(Worker worker, Loss loss, List<Integer> ranks) implements OfWorker {}

    /**
     * @param version of the checkpoint
     * @param gone nodes that left before the round
     * @param onStateLoss what the run does then
     */
    record Loss(long version, long lostRound, List<String> gone, String onStateLoss) {}

    record NodeExcludeRequested(Worker worker, String message) implements OfWorker {}

    /** @param worker empty = its agent asked for it */
    record RunStopRequested(Optional<Worker> worker, String message) implements RunEvent {}

    /** A command reached this agent. */
    record CommandReceived(Command command, String from) implements RunEvent {}

    /** This coordinator consumed a command. */
    record CommandConsumed(Command command, long number, boolean accepted, String reason) implements RunEvent {}

    record CommandDone(Command command, long number, String reason) implements RunEvent {}

    record CommandRefused(Command command, long number, String reason) implements RunEvent {}

    record CommandAccepted(Command command, long number, String reason) implements RunEvent {}

    /**
     * @param request its id
     * @param askedBy as the caller gives it
     */
    record Command(String command, String request, String askedBy, boolean force) {}

    /** The node gave others an address of its loopback interface, and another node is on another machine. */
    record NodeUnreachable(String message) implements RunEvent {}

    /**
     * A call without the run's key, or that is no call.
     *
     * @param method or the service
     * @param from its address
     * @param count since the event before
     */
    record ControlRefused(String method, String from, String message, long count) implements RunEvent {}

    /** @param root empty = no worker is the root cause */
    record RunEnded(boolean succeeded, int exitCode, String reason, List<Cause> causes, Optional<Root> root)
            implements OfEnd {}

    /** @param rootStack its beginning */
    record Root(
            String rootNode,
            int rootSlot,
            int rootAttempt,
            int rootRank,
            FailureKind rootHow,
            String rootMessage,
            String rootStack) {}

    /**
     * First line of a file that is not the first.
     *
     * @param offset bytes of lines before it
     */
    record LogContinued(long offset) implements RunEvent {}

    /** The file system of the logs has no room left. */
    record LogsFull() implements RunEvent {}

    record LogsWell() implements RunEvent {}

    record AgentEnded(int exitCode, String reason) implements OfEnd {}

    /** An event of a newer version, or a damaged one. */
    record Unknown(String kind) implements RunEvent {}
}
