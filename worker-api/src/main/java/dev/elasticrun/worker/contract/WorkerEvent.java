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
 * @param timestamp wall clock of the agent, for display only
 * @param roundId the round that the event opens (WORK) or closes (PAUSE)
 * @param change what the worker is to do, and why
 * @param workerInfo the worker's place; present for WORK, and for a PAUSE the place it had, if any
 * @param highestVersion highest checkpoint version that the coordinator knows to exist; 0 = none
 */
@SuppressWarnings("exports")
public record WorkerEvent(
        long seq,
        Instant timestamp,
        RoundId roundId,
        Change change,
        @Nullable WorkerInfo workerInfo,
        long highestVersion) {

    /**
     * A round among those of all runs.
     *
     * @param run run id
     * @param incarnation random id of this start of the run
     * @param round its number; 0 = none yet
     * @param world its world; 0 = none yet
     */
    public record RoundId(String run, String incarnation, long round, long world) {
        public RoundId {
            Objects.requireNonNull(run, "run");
            Objects.requireNonNull(incarnation, "incarnation");
        }
    }

    /**
     * What a worker is to do, and why.
     *
     * @param state PAUSED or HEALTHY
     * @param direction of the change; null when the size did not change or is not known
     * @param pause what a PAUSE lets the worker keep; null exactly for WORK
     * @param cause human-readable reason
     */
    public record Change(
            WorkerState state,
            @Nullable WorldChangeEvent direction,
            @Nullable PauseKind pause,
            String cause) {
        public Change {
            Objects.requireNonNull(state, "workerState");
            Objects.requireNonNull(cause, "cause");
            if ((state == WorkerState.PAUSED) != (pause != null)) {
                throw new IllegalArgumentException("pause: " + pause + " (expected: set exactly for PAUSED)");
            }
        }
    }

    public WorkerEvent {
        Objects.requireNonNull(timestamp, "timestamp");
        Objects.requireNonNull(roundId, "roundId");
        Objects.requireNonNull(change, "change");
        if (seq < 1) {
            throw new IllegalArgumentException("seq: " + seq + " (expected: >= 1)");
        }
        if (change.state() == WorkerState.HEALTHY && workerInfo == null) {
            throw new IllegalArgumentException("workerInfo: null (expected: set for HEALTHY)");
        }
    }

    /** Run id. */
    public String run() {
        return roundId.run();
    }

    /** Random id of this start of the run. */
    public String incarnation() {
        return roundId.incarnation();
    }

    /** The round that the event opens (WORK) or closes (PAUSE); 0 = none yet. */
    public long round() {
        return roundId.round();
    }

    /** The world of that round; 0 = none yet. */
    public long world() {
        return roundId.world();
    }

    /** PAUSED or HEALTHY. */
    public WorkerState workerState() {
        return change.state();
    }

    /** Direction of the change; null when the size did not change or is not known. */
    public @Nullable WorldChangeEvent changeEvent() {
        return change.direction();
    }

    /** What a PAUSE lets the worker keep; null exactly for WORK. */
    public @Nullable PauseKind pause() {
        return change.pause();
    }

    /** Human-readable reason. */
    public String cause() {
        return change.cause();
    }
}
