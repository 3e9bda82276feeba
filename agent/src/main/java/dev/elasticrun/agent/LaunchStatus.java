/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.proto.Metric;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A whole run at one moment, as its store has it and the agents of its live nodes report it.
 *
 * @param minNodes of the run as it is now: it can be scaled
 * @param round the newest; 0 = none yet
 * @param working whether workers are to work in that round: false before the first one, and while the run waits
 * @param worldSize workers in that round
 * @param restartsUsed restarts that count
 * @param waitingFor what the run waits for; empty = nothing
 * @param nodes live nodes in join order
 */
public record LaunchStatus(
        String policy,
        int minNodes,
        int maxNodes,
        long round,
        boolean working,
        int worldSize,
        int restartsUsed,
        int maxRestarts,
        String waitingFor,
        List<Node> nodes) {

    public LaunchStatus {
        nodes = List.copyOf(nodes);
    }

    /**
     * One live node.
     *
     * @param phase as {@code elastic-run status} has it, like {@code ACTIVE}
     * @param inRound whether the newest round has a place for it
     * @param silence why its agent did not report its workers; empty = it did
     */
    public record Node(String nodeId, String phase, boolean inRound, String silence, List<Worker> workers) {
        public Node {
            workers = List.copyOf(workers);
        }
    }

    /**
     * One worker.
     *
     * @param rank -1 = it is not in the round
     * @param pid 0 = not started yet
     * @param state pending, starting, ready, working, paused, stopping, ended or failed
     * @param step newest that it reported; 0 = none
     * @param plannedSteps 0 = not known
     * @param stepsPerSecond over the last seconds; empty = not known
     * @param checkpoint version of its newest; 0 = none
     * @param metrics newest values that its program published, in the order in which it published them first
     */
    public record Worker(
            int rank,
            int localRank,
            long pid,
            String state,
            long step,
            long plannedSteps,
            OptionalDouble stepsPerSecond,
            long checkpoint,
            Map<String, Double> metrics) {
        public Worker {
            metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        }
    }

    static LaunchStatus of(StatusReply status) {
        return new LaunchStatus(
                status.getPolicy(),
                status.getMinNodes(),
                status.getMaxNodes(),
                status.getRound(),
                status.getRound() > 0 && !status.getSuspended(),
                status.getWorldSize(),
                status.getBudgetUsed(),
                status.getMaxRestarts(),
                status.getWaitingFor(),
                status.getNodesList().stream().map(LaunchStatus::node).toList());
    }

    private static Node node(NodeStatus node) {
        return new Node(
                node.getNodeId(),
                node.getPhase(),
                node.getParticipant(),
                node.getSilence(),
                node.getWorkersList().stream().map(LaunchStatus::worker).toList());
    }

    private static Worker worker(WorkerStatus worker) {
        double rate = worker.getStepsPerSecond();
        Map<String, Double> metrics = new LinkedHashMap<>();
        for (Metric metric : worker.getMetricsList()) {
            metrics.put(metric.getName(), metric.getValue());
        }
        return new Worker(
                worker.getRank(),
                worker.getSlot(),
                worker.getPid(),
                worker.getState(),
                worker.getStep(),
                worker.getTotal(),
                rate < 0 ? OptionalDouble.empty() : OptionalDouble.of(rate),
                worker.getVersion(),
                metrics);
    }
}
