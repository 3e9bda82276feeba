/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.rules.LostState;
import dev.elasticrun.rendezvous.record.Failure;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * How one agent's part in a run ended.
 *
 * @param exitCode what the command would exit with, see {@link ExitCode}
 * @param reason as text
 * @param nodeId this node
 * @param workers this node's last worker group, one per local rank
 * @param statesLost what the run lost while this agent was in it, in order
 * @param failures what made the run fail, over all nodes, root cause first; empty when it succeeded
 * @param answers what the run did about its incidents while this agent was in it, oldest first; the end is no answer
 * @param summary empty when the agent itself failed
 * @param handedOver what workers handed over, see {@link #results()}
 */
public record LaunchResult(
        int exitCode,
        String reason,
        String nodeId,
        List<WorkerResult> workers,
        List<LostState> statesLost,
        List<Failure> failures,
        List<Answer> answers,
        Optional<RunSummary> summary,
        HandedOver handedOver) {

    public LaunchResult {
        statesLost = List.copyOf(statesLost);
        workers = List.copyOf(workers);
        failures = List.copyOf(failures);
        answers = List.copyOf(answers);
    }

    /** Without incidents, summary and results. */
    public LaunchResult(
            int exitCode,
            String reason,
            String nodeId,
            List<WorkerResult> workers,
            List<LostState> statesLost,
            List<Failure> failures) {
        this(exitCode, reason, nodeId, workers, statesLost, failures, List.of(), Optional.empty(), HandedOver.NOTHING);
    }

    /**
     * What workers handed over by {@code ElasticRuntime.result}, by rank: of all workers of the run's last round, on all
     * nodes, and the same on each node that stayed until the run had succeeded. The map and its arrays are copies.
     *
     * <pre>{@code
     * result.results().forEach((rank, bytes) -> System.out.println(rank + ": " + new String(bytes, UTF_8)));
     * }</pre>
     *
     * <p>A rank that handed over nothing is not in it; one that handed over no bytes is, with an empty array. A result
     * counts once its worker has ended with 0. The map has none of workers that were lost or replaced, and none of a node
     * that was done before a later round was formed, which has no rank for it. It is empty if the run failed, and if this
     * agent left the run before its end or found it ended.
     */
    public SortedMap<Integer, byte[]> results() {
        return handedOver.contents();
    }

    public boolean succeeded() {
        return exitCode == 0;
    }

    /**
     * A round that was formed because something happened.
     *
     * @param cause what had happened
     * @param suspended whether the run waited, and had not resumed when the agent saw the round last
     * @param worldSize workers in the round
     * @param restartsUsed by the whole run so far
     */
    public record Answer(long round, String cause, boolean suspended, int worldSize, int restartsUsed) {}

    /**
     * How one worker of this node ended.
     *
     * @param rank its last global rank; -1 = it never had one
     * @param exitCode 128+n for signal n; -1 = it was not started, or its end is not known
     */
    public record WorkerResult(int localRank, int rank, int attempt, int exitCode) {}
}
