/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.WorkerView;
import dev.elasticrun.proto.KeptOut;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import java.util.List;
import java.util.Map;

/** From an agent's state, and what its workers report, to the status of its node. Pure. */
public final class LiveStatus {
    /** Of a worker of which nothing is known. */
    public static final WorkerStatus UNKNOWN =
            WorkerStatus.newBuilder().setStepsPerSecond(-1).setStillMillis(-1).build();

    private LiveStatus() {}

    /**
     * @param gauges of the workers that run
     * @param waitingFor what the run waits for, as text: of the coordinator only; empty = for nothing
     * @param keptOut nodes that are not put into a round for now: of the coordinator only
     * @param roundAgeMillis how long this agent has known the newest round; -1 = it knows none
     */
    public static NodeReply of(
            String nodeId,
            AgentState state,
            Map<WorkerGauges.Key, WorkerStatus> gauges,
            String waitingFor,
            List<KeptOut> keptOut,
            long roundAgeMillis) {
        NodeReply.Builder reply = NodeReply.newBuilder()
                .setNodeId(nodeId)
                .setWaitingFor(waitingFor)
                .addAllKeptOut(keptOut)
                .setRoundAgeMillis(roundAgeMillis);
        state.group()
                .workers()
                .forEach(worker -> reply.addWorkers(
                        gauges.getOrDefault(new WorkerGauges.Key(worker.slot(), worker.attempt()), UNKNOWN).toBuilder()
                                .setSlot(worker.slot())
                                .setAttempt(worker.attempt())
                                .setPid(worker.pid())
                                .setRank(state.rank(worker, nodeId))
                                .setState(word(state, worker))));
        return reply.build();
    }

    /** The newest checkpoint that a worker which is in the round holds; 0 = none. */
    public static long checkpoint(List<WorkerStatus> workers) {
        return workers.stream()
                .filter(worker -> worker.getRank() >= 0)
                .mapToLong(WorkerStatus::getVersion)
                .max()
                .orElse(0);
    }

    // These names are part of the output of commands and must not change.
    private static String word(AgentState state, WorkerView worker) {
        if (worker.succeeded()) {
            return "ended";
        } else if (worker.ended()) {
            return "failed";
        } else if (worker.pid() == 0) {
            return "pending";
        }
        return switch (state.group().phase()) {
            case STOPPING -> "stopping";
            case GONE -> "failed";
            case PENDING, RUNNING -> wordOfLive(state, worker);
        };
    }

    private static String wordOfLive(AgentState state, WorkerView worker) {
        if (worker.is(WorkerView.Mark.WORKED)) {
            return state.workingRound() > 0 ? "working" : "paused";
        }
        return worker.ready() ? "ready" : "starting";
    }
}
