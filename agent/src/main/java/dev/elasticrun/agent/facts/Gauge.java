/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

/**
 * What is known of a worker's progress and size.
 *
 * @param step newest that it told; 0 = none
 * @param total planned steps; 0 = not known
 * @param stepsPerSecond over the last seconds; negative = not known
 * @param version newest checkpoint that it told of; 0 = none
 * @param memoryBytes resident memory of its process, without children; 0 = not known
 * @param stillMillis how long it has made no progress; -1 = it does not tell progress
 * @param section that it says it is in; empty = none
 * @param waits it stands still because it waits for its peers or its agent
 */
public record Gauge(
        long step,
        long total,
        double stepsPerSecond,
        long version,
        long memoryBytes,
        long stillMillis,
        String section,
        boolean waits) {

    /** Nothing is known. */
    public static final Gauge NONE = new Gauge(0, 0, -1, 0, 0, -1, "", false);
}
