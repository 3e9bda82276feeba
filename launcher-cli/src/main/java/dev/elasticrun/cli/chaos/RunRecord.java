/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import java.nio.file.Path;
import java.util.List;

/**
 * What was seen of one run from outside.
 *
 * @param runDirectory its logs, below it of each node
 * @param faults in the order of the plan
 * @param ends of agents that ended by themselves, in the order of starts
 */
record RunRecord(
        String runId,
        Path runDirectory,
        Times times,
        List<Sample> samples,
        List<AgentUse> uses,
        List<Fault> faults,
        List<AgentEnd> ends) {

    /**
     * On the monotonic clock of the host.
     *
     * @param workNanos when all workers worked first
     * @param stormNanos when the time of faults began
     * @param endNanos when it ended, or the run
     */
    record Times(long workNanos, long stormNanos, long endNanos) {}

    /** An agent that ended and that chaos did not end. */
    record AgentEnd(int number, int exitCode, List<String> lastLines) {
        AgentEnd {
            lastLines = List.copyOf(lastLines);
        }
    }

    RunRecord {
        samples = List.copyOf(samples);
        uses = List.copyOf(uses);
        faults = List.copyOf(faults);
        ends = List.copyOf(ends);
    }

    /** Samples of a part of the time. */
    List<Sample> samples(long fromNanos, long toNanos) {
        return samples.stream()
                .filter(sample -> sample.nanos() >= fromNanos && sample.nanos() <= toNanos)
                .toList();
    }

    /** Whether an agent reported that the run succeeded, by its exit code. */
    boolean succeeded() {
        return ends.stream().anyMatch(end -> end.exitCode() == 0);
    }
}
