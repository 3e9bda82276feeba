/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.rendezvous.record.Command;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Accepts requests of users to a run, by whatever interface: one agent's part of it. Called by any thread; futures
 * complete in the agent's loop.
 */
public interface CommandDesk {
    /** The longest profile. */
    int MOST_SECONDS = 60;

    /**
     * Has the run execute the command. The future completes when the command is done or refused, and never
     * exceptionally. A caller that goes away completes or cancels it: an accepted command continues.
     *
     * @param command the node to drain may be the start of a node id, or a host label, if that is one node only
     */
    CompletableFuture<Outcome> ask(Command command, Asking asking);

    /**
     * What the threads of the worker with this rank do now; it runs on.
     *
     * @param here whether the worker must be this agent's
     * @return completes on any thread; exceptionally with a {@link UnansweredException}
     */
    CompletableFuture<WorkerDump> dump(int rank, boolean here);

    /**
     * Where the worker with this rank spends its time, as its JVM records it; it runs on.
     *
     * @param seconds how long it is recorded, up to {@link #MOST_SECONDS}
     * @param here whether the worker must be this agent's
     * @return completes on any thread; exceptionally with an {@link UnansweredException}
     */
    CompletableFuture<WorkerProfile> profile(int rank, int seconds, boolean here);

    /**
     * The origin of a command, and what its caller expects.
     *
     * @param from address of the caller
     * @param incarnation the run incarnation that is meant; empty = any
     * @param waits whether the outcome is wanted, and not only that the command was accepted
     * @param progress receives in the loop what the command waits for, about once a second
     */
    record Asking(String from, String incarnation, boolean waits, Consumer<Outcome> progress) {}

    /**
     * The result or progress of a command.
     *
     * @param text one human-readable line
     * @param number of the command; 0 = none
     * @param round the newest that this agent knows
     * @param stallNanos how long workers of this node were paused for it; 0 = not, or not known
     */
    record Outcome(Stage stage, String text, long number, long round, int worldSize, long stallNanos) {
        /** False when it is refused, or when this agent leaves before the command was in the store. */
        public boolean accepted() {
            return stage != Stage.REFUSED && (stage != Stage.GOING_ON || number > 0);
        }

        /** The progress of a command. */
        public enum Stage {
            WAITING,
            DONE,
            REFUSED,
            /** Accepted, and not waited for any longer; without a number: another agent is to be asked. */
            GOING_ON
        }
    }

    /** The threads of one worker, as its JVM printed them. */
    record WorkerDump(String nodeId, int slot, int attempt, long pid, long round, String text) {}

    /**
     * The profile of one worker.
     *
     * @param folded stacks with their numbers of samples, a line each, the most frequent first
     * @param samples in these lines
     * @param file the recording, on the host of the node
     */
    record WorkerProfile(
            String nodeId, int slot, int attempt, long pid, long round, String folded, int samples, String file) {}

    /** What was asked of a worker is not known; the message states why. */
    final class UnansweredException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public UnansweredException(String message) {
            super(message);
        }
    }
}
