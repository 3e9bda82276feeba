/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.WorkerRecord;
import java.util.Optional;

/** From a run to the wire. Pure. */
final class StatusReplies {
    private StatusReplies() {}

    static StatusReply of(RunDescription run, String answeredBy) {
        StatusReply.Builder reply = StatusReply.newBuilder()
                .setRunId(run.runId())
                .setIncarnation(run.incarnation())
                .setPolicy(run.policy())
                .setMinNodes(run.minNodes())
                .setMaxNodes(run.maxNodes())
                .setMaxRestarts(run.maxRestarts())
                .setCoordinator(run.coordinator())
                .setAnsweredBy(answeredBy);
        Round round = run.round();
        if (round != null) {
            reply.setRound(round.number())
                    .setWorld(round.world())
                    .setSuspended(round.suspended())
                    .setCause(round.cause())
                    .setWorldSize(round.worldSize())
                    .setBudgetUsed(round.budgetUsed());
        }
        for (NodeRecord node : run.nodes()) {
            Optional<Participant> place = round == null
                    ? Optional.empty()
                    : round.participant(node.nodeId()).filter(p -> p.generation() == node.generation());
            reply.addNodes(node(node, place));
        }
        return reply.build();
    }

    private static NodeStatus node(NodeRecord node, Optional<Participant> place) {
        NodeStatus.Builder status = NodeStatus.newBuilder()
                .setNodeId(node.nodeId())
                .setHostLabel(node.hostLabel())
                .setAddress(node.address())
                .setControlPort(node.controlPort())
                .setPhase(node.phase().name())
                .setParticipant(place.isPresent());
        for (WorkerRecord worker : node.workers()) {
            status.addWorkers(WorkerStatus.newBuilder()
                    .setSlot(worker.slot())
                    .setAttempt(worker.attempt())
                    .setPid(worker.pid())
                    .setRank(place.map(found -> found.firstRank() + worker.slot())
                            .orElse(-1)));
        }
        return status.build();
    }
}
