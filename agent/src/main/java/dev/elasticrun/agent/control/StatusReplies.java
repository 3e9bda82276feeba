/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.facts.NodeAnswer;
import dev.elasticrun.agent.facts.NodeFacts;
import dev.elasticrun.agent.facts.RunFacts;
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

    static StatusReply of(RunFacts facts) {
        RunDescription run = facts.run();
        StatusReply.Builder reply = StatusReply.newBuilder()
                .setRunId(run.runId())
                .setIncarnation(run.incarnation())
                .setPolicy(run.policy())
                .setMinNodes(run.minNodes())
                .setMaxNodes(run.maxNodes())
                .setMaxRestarts(run.maxRestarts())
                .setCoordinator(run.coordinator())
                .setTls(run.tls())
                .setAnsweredBy(facts.answeredBy())
                .setWaitingFor(facts.waitingFor())
                .setRoundAgeMillis(facts.roundAgeMillis());
        Round round = run.round();
        if (round != null) {
            reply.setRound(round.number())
                    .setWorld(round.world())
                    .setSuspended(round.suspended())
                    .setCause(round.cause())
                    .setWorldSize(round.worldSize())
                    .setBudgetUsed(round.budgetUsed())
                    .setIncident(round.incident())
                    .setVersion(round.checkpoint().version());
        }
        for (NodeRecord node : run.nodes()) {
            Optional<Participant> place = round == null
                    ? Optional.empty()
                    : round.participant(node.nodeId()).filter(p -> p.generation() == node.generation());
            NodeStatus.Builder status = node(node, place, facts.node(node.nodeId()));
            facts.keptOut(node.nodeId())
                    .ifPresent(kept -> status.setKeptOut(kept.why()).setKeptOutMillis(kept.leftMillis()));
            reply.addNodes(status);
        }
        return reply.build();
    }

    private static NodeStatus.Builder node(NodeRecord node, Optional<Participant> place, Optional<NodeAnswer> answer) {
        NodeStatus.Builder status = NodeStatus.newBuilder()
                .setNodeId(node.nodeId())
                .setHostLabel(node.hostLabel())
                .setAddress(node.address())
                .setControlPort(node.controlPort())
                .setPhase(node.phase().name())
                .setParticipant(place.isPresent())
                .setSilence(answer.map(NodeAnswer::silence).orElse("it was not asked"));
        Optional<NodeFacts> facts = answer.flatMap(known -> Optional.ofNullable(known.facts()));
        if (facts.isPresent()) {
            facts.get().workers().forEach(worker -> status.addWorkers(NodeReplies.worker(worker)));
        } else {
            node.workers().forEach(worker -> status.addWorkers(stored(worker, place)));
        }
        return status;
    }

    /** What the store has of a worker whose agent does not answer. */
    private static WorkerStatus stored(WorkerRecord worker, Optional<Participant> place) {
        return WorkerStatus.newBuilder()
                .setSlot(worker.slot())
                .setAttempt(worker.attempt())
                .setPid(worker.pid())
                .setRank(place.map(found -> found.firstRank() + worker.slot()).orElse(-1))
                .setStepsPerSecond(-1)
                .setStillMillis(-1)
                .build();
    }
}
