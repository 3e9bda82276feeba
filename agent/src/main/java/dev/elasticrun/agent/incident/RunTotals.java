/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.time.Instant;
import java.util.List;

/**
 * What one node saw of its run, in all.
 *
 * @param firstStep that a worker of it reported; 0 = none did
 * @param lastStep newest step that one reported, also as it ended; 0 = none did
 * @param totalSteps planned; 0 = not known
 * @param incidents as metrics count them
 * @param stalledNanos for how long the node's workers did not work in them
 * @param failures of its workers, oldest first
 */
public record RunTotals(
        long firstStep, long lastStep, long totalSteps, int incidents, long stalledNanos, List<FailedAt> failures) {
    public RunTotals {
        failures = List.copyOf(failures);
    }

    /**
     * When a worker of the node failed, and how far it was.
     *
     * @param step newest that it reported; 0 = none
     * @param version newest checkpoint that it reported; 0 = none
     * @param alike failures of this node before it with the same message, just as far
     */
    public record FailedAt(int slot, int attempt, Instant time, long step, long version, int alike) {}
}
