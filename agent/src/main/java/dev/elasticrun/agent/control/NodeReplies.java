/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.facts.Gauge;
import dev.elasticrun.agent.facts.KeptOut;
import dev.elasticrun.agent.facts.NodeFacts;
import dev.elasticrun.agent.facts.WorkerFacts;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import java.util.Locale;

/** Facts of a node to the wire and back. Pure. */
final class NodeReplies {
    private NodeReplies() {}

    static NodeReply of(NodeFacts facts) {
        NodeReply.Builder reply = NodeReply.newBuilder()
                .setNodeId(facts.nodeId())
                .setWaitingFor(facts.waitingFor())
                .setRoundAgeMillis(facts.roundAgeMillis());
        facts.keptOut()
                .forEach(kept -> reply.addKeptOut(dev.elasticrun.proto.KeptOut.newBuilder()
                        .setNodeId(kept.nodeId())
                        .setWhy(kept.why())
                        .setLeftMillis(kept.leftMillis())));
        facts.workers().forEach(worker -> reply.addWorkers(worker(worker)));
        return reply.build();
    }

    static NodeFacts facts(NodeReply reply) {
        return new NodeFacts(
                reply.getNodeId(),
                reply.getWaitingFor(),
                reply.getKeptOutList().stream()
                        .map(kept -> new KeptOut(kept.getNodeId(), kept.getWhy(), kept.getLeftMillis()))
                        .toList(),
                reply.getRoundAgeMillis(),
                reply.getWorkersList().stream().map(NodeReplies::worker).toList());
    }

    static WorkerStatus worker(WorkerFacts worker) {
        Gauge gauge = worker.gauge();
        return WorkerStatus.newBuilder()
                .setSlot(worker.slot())
                .setAttempt(worker.attempt())
                .setPid(worker.pid())
                .setRank(worker.rank())
                .setState(worker.state().text())
                .setStep(gauge.step())
                .setTotal(gauge.total())
                .setStepsPerSecond(gauge.stepsPerSecond())
                .setVersion(gauge.version())
                .setMemoryBytes(gauge.memoryBytes())
                .setStillMillis(gauge.stillMillis())
                .setSection(gauge.section())
                .setWaits(gauge.waits())
                .build();
    }

    private static WorkerFacts worker(WorkerStatus worker) {
        return new WorkerFacts(
                worker.getSlot(),
                worker.getAttempt(),
                worker.getPid(),
                worker.getRank(),
                WorkerFacts.State.valueOf(worker.getState().toUpperCase(Locale.ROOT)),
                new Gauge(
                        worker.getStep(),
                        worker.getTotal(),
                        worker.getStepsPerSecond(),
                        worker.getVersion(),
                        worker.getMemoryBytes(),
                        worker.getStillMillis(),
                        worker.getSection(),
                        worker.getWaits()));
    }
}
