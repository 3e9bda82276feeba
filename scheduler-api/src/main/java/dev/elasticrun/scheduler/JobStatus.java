/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.util.List;

/**
 * A job and its parts.
 *
 * @param runId by which its agents meet, for {@code elastic-run status --run-id}
 * @param parts what the scheduler starts an agent for: elements of an array, pods
 */
public record JobStatus(JobSummary job, String runId, List<Part> parts) {
    public JobStatus {
        parts = List.copyOf(parts);
    }

    /**
     * One agent, as the scheduler sees it.
     *
     * @param host where it runs; empty = nowhere now
     * @param state as the scheduler calls it
     * @param restarts how often the scheduler started it again
     * @param reason why it is in that state; empty = the scheduler names none
     */
    public record Part(String id, String host, String state, int restarts, String reason) {}
}
