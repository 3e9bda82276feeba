/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.metrics;

import dev.elasticrun.agent.incident.Goodput;
import java.util.List;
import java.util.Map;

/**
 * What the metrics are at the moment of a scrape. Counters that only this agent can count are kept by {@link RunMeters}.
 *
 * @param nodesByPhase live nodes of the run; every phase is a key; empty = not known
 * @param worldSize workers of the newest round; 0 before the first
 * @param heartbeatLagSeconds how much later than planned the next renewal of the lease is; 0 = it is not late
 * @param leaseMarginSeconds time for which the lease can still be trusted; negative = it cannot
 * @param checkpoint newest version that the run is known to have completed
 * @param eventsDropped of the event log
 * @param workers of this node
 */
public record Readings(
        Map<String, Integer> nodesByPhase,
        int worldSize,
        long round,
        int restartsUsed,
        int restartsAllowed,
        Goodput.Account goodput,
        double heartbeatLagSeconds,
        double leaseMarginSeconds,
        long checkpoint,
        long eventsDropped,
        List<Worker> workers) {

    public Readings {
        nodesByPhase = Map.copyOf(nodesByPhase);
        workers = List.copyOf(workers);
    }

    /**
     * A worker that has a rank.
     *
     * @param starts how often a process was started in its slot
     * @param step newest that it told; 0 = none
     * @param memoryBytes resident; 0 = not known
     */
    public record Worker(int rank, int slot, long starts, long step, long memoryBytes) {}
}
