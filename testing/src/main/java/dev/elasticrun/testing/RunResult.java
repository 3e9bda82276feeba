/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.agent.events.RunEvent;
import java.util.List;
import java.util.Optional;

/**
 * How a run ended.
 *
 * @param exitCode of the agents that the test did not end: 0 if all of them ended with 0, else the first other one; if the
 *     test ended all of them, that of the last one
 * @param outputs what the worker with each rank of the last round wrote to standard output
 * @param rootCause the worker that the run names as the cause of its failure
 */
public record RunResult(int exitCode, List<String> outputs, Optional<RunEvent.Root> rootCause) {
    public RunResult {
        outputs = List.copyOf(outputs);
    }

    /**
     * What the worker with that rank in the last round wrote to standard output. A process before it in the same place is
     * another worker.
     */
    public String output(int rank) {
        if (rank < 0 || rank >= outputs.size()) {
            throw new IllegalArgumentException(
                    "rank: " + rank + " (expected: 0 to " + (outputs.size() - 1) + ", the ranks of the last round)");
        }
        return outputs.get(rank);
    }
}
