/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.agents.AgentUse;
import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.Fault;
import java.nio.file.Path;
import java.util.List;

/**
 * What was seen of one run from outside.
 *
 * @param runDirectory its logs, below it of each node
 * @param faults in the order of the plan
 * @param ends of agents that ended by themselves, in the order of starts
 */
public record RunRecord(
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
    public record Times(long workNanos, long stormNanos, long endNanos) {}

    /** An agent that ended and that chaos did not end. */
    public record AgentEnd(int number, int exitCode, List<String> lastLines) {
        public AgentEnd {
            lastLines = List.copyOf(lastLines);
        }
    }

    public RunRecord {
        samples = List.copyOf(samples);
        uses = List.copyOf(uses);
        faults = List.copyOf(faults);
        ends = List.copyOf(ends);
    }

    /** Samples of a part of the time. */
    public List<Sample> samples(long fromNanos, long toNanos) {
        return samples.stream()
                .filter(sample -> sample.nanos() >= fromNanos && sample.nanos() <= toNanos)
                .toList();
    }

    /** Whether an agent reported that the run succeeded, by its exit code. */
    public boolean succeeded() {
        return ends.stream().anyMatch(end -> end.exitCode() == 0);
    }
}
