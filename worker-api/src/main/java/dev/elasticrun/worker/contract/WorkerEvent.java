/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message from the agent to a worker: PAUSE (state PAUSED) or WORK (state HEALTHY). Stored as {@code
 * events/<seq>.json} in the worker's channel directory and never rewritten; the newest wins.
 *
 * @param seq 1-based number of the event within the channel
 * @param timestamp wall clock of the agent, for people
 * @param run run id
 * @param incarnation random id of this start of the run
 * @param round the round that the event opens (WORK) or closes (PAUSE); 0 = none yet
 * @param world the world of that round; 0 = none yet
 * @param workerState PAUSED or HEALTHY
 * @param changeEvent direction of the change; null when the size did not change or is not known
 * @param pause what a PAUSE lets the worker keep; null exactly for WORK
 * @param cause why, in words
 * @param workerInfo the worker's place; present for WORK, and for a PAUSE the place it had, if any
 * @param highestVersion highest checkpoint version that the coordinator knows to exist; 0 = none
 */
@SuppressWarnings("exports")
public record WorkerEvent(
        long seq,
        Instant timestamp,
        String run,
        String incarnation,
        long round,
        long world,
        WorkerState workerState,
        @Nullable WorldChangeEvent changeEvent,
        @Nullable PauseKind pause,
        String cause,
        @Nullable WorkerInfo workerInfo,
        long highestVersion) {

    public WorkerEvent {
        Objects.requireNonNull(timestamp, "timestamp");
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(incarnation, "incarnation");
        Objects.requireNonNull(workerState, "workerState");
        Objects.requireNonNull(cause, "cause");
        if (seq < 1) {
            throw new IllegalArgumentException("seq: " + seq + " (expected: >= 1)");
        }
        if ((workerState == WorkerState.PAUSED) != (pause != null)) {
            throw new IllegalArgumentException("pause: " + pause + " (expected: set exactly for PAUSED)");
        }
        if (workerState == WorkerState.HEALTHY && workerInfo == null) {
            throw new IllegalArgumentException("workerInfo: null (expected: set for HEALTHY)");
        }
    }
}
