/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.concurrent.CompletableFuture;

/**
 * A started worker: the leader of a process group of its own. Methods may be called by any thread and never block;
 * futures complete on threads of the launcher, so dependents must not block either.
 */
public interface WorkerProcess {

    /** Process id of the worker, also the id of its group and session. */
    long pid();

    /**
     * Completes when the worker itself ended, with 128+n for signal n. Whatever is left of its group is killed then,
     * unless TERM was sent: then KILL must follow when the grace period is over.
     */
    CompletableFuture<Integer> exit();

    /** Sends the signal to every process of the group; nothing happens once the group is gone. */
    void signalGroup(GroupSignal signal);

    /** Gives it the priority of this process, if it began at a low one. */
    default void raise() {}

    /**
     * Completes after {@link #exit()}, when no process of the group is left, nor one that left the group; exceptionally
     * with a {@link java.util.concurrent.TimeoutException} when one outlives KILL for too long.
     */
    CompletableFuture<Void> groupGone();
}
