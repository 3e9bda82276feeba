/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Failure;
import java.util.List;

/**
 * How one agent's part in a run ended.
 *
 * @param exitCode what the command would exit with, see {@link ExitCode}
 * @param reason in words
 * @param nodeId this node
 * @param workers this node's last worker group, one per local rank
 * @param statesLost what the run lost while this agent was in it, in order
 * @param failures what made the run fail, over all nodes, root cause first; empty when it succeeded
 */
public record LaunchResult(
        int exitCode,
        String reason,
        String nodeId,
        List<WorkerResult> workers,
        List<LostState> statesLost,
        List<Failure> failures) {

    public LaunchResult {
        statesLost = List.copyOf(statesLost);
        workers = List.copyOf(workers);
        failures = List.copyOf(failures);
    }

    public boolean succeeded() {
        return exitCode == 0;
    }

    /**
     * How one worker of this node ended.
     *
     * @param rank its last global rank; -1 = it never had one
     * @param exitCode 128+n for signal n; -1 = it was not started, or its end is not known
     */
    public record WorkerResult(int localRank, int rank, int attempt, int exitCode) {}
}
