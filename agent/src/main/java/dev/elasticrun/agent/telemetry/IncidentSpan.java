/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One incident as one node had it, from its first sign there until the node's workers worked again, or the agent ended.
 *
 * @param incarnation of the run; runs of one name have different ones
 * @param number of the incident, as commands count them: the same at all nodes
 * @param cause as the label of a metric
 * @param began on the wall clock of the host
 * @param length until it was over at this node
 * @param phases how far its answer came, in order of time
 * @param failures of this node's workers
 * @param answer empty = there was none, or it was overtaken by the next incident
 * @param error why the agent ended; empty = it did not
 */
public record IncidentSpan(
        String incarnation,
        long number,
        String cause,
        Instant began,
        Duration length,
        List<Phase> phases,
        List<Failure> failures,
        Optional<Answer> answer,
        String error) {

    public IncidentSpan {
        phases = List.copyOf(phases);
        failures = List.copyOf(failures);
    }

    /**
     * A phase of the answer.
     *
     * @param name what it ended with, as the label of a metric
     * @param reached its end, from the first sign of the incident on
     */
    public record Phase(String name, Duration reached) {}

    /**
     * Workers that failed.
     *
     * @param who {@code rank 3}, or {@code local rank 1} of one without a rank
     * @param kind as in events
     * @param message one line
     */
    public record Failure(String who, String kind, String message) {}

    /**
     * How the node's workers went on.
     *
     * @param round in which
     * @param storeOnly whether only the store was not reachable, and the round is the one before
     * @param stalled for how long they did not work
     * @param worldBefore world size before
     * @param world world size
     * @param version checkpoint from which they resumed; 0 = none
     * @param stepsLost steps that are made again; empty = the program does not report steps, or has made none yet
     */
    public record Answer(
            long round,
            boolean storeOnly,
            Duration stalled,
            int worldBefore,
            int world,
            long version,
            Optional<Long> stepsLost) {}
}
