/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what the whole run does: the store's view, and what all agents report of their workers. They are asked at the
 * same time, and none is waited for longer than the deadline. Safe for use by any thread.
 */
final class RunSurvey {
    private final String nodeId;
    private final EventLoop loop;
    private final ControlPeer peer;
    private final NodeCalls calls;
    private final Duration deadline;
    private volatile byte[] runKey = {};

    /**
     * The answer of one node's agent.
     *
     * @param reply of no workers when it did not answer
     * @param silence why it did not answer, as text; empty when it did
     */
    private record Answer(NodeReply reply, String silence) {
        static Answer silent(String why) {
            return new Answer(NodeReply.newBuilder().setRoundAgeMillis(-1).build(), why);
        }
    }

    RunSurvey(String nodeId, EventLoop loop, ControlPeer peer, NodeCalls calls, Duration deadline) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.peer = peer;
        this.calls = calls;
        this.deadline = deadline;
    }

    void key(byte[] key) {
        runKey = key.clone();
    }

    byte[] key() {
        return runKey.clone();
    }

    /** Completes with an exception only if the store does not answer. */
    CompletableFuture<RunStatus> take() {
        // First, since it reads files, and what follows runs on threads that should not.
        CompletableFuture<Answer> own = peer.nodeStatus().thenApply(reply -> new Answer(reply, ""));
        CompletableFuture<RunDescription> described = new CompletableFuture<>();
        loop.execute(() -> peer.describe().whenComplete((run, error) -> {
            if (run == null) {
                described.completeExceptionally(error);
            } else {
                described.complete(run);
            }
        }));
        return described.thenCompose(run -> ask(run, own));
    }

    private CompletableFuture<RunStatus> ask(RunDescription run, CompletableFuture<Answer> own) {
        Map<String, CompletableFuture<Answer>> asked = new HashMap<>();
        run.nodes().forEach(node -> asked.put(node.nodeId(), node.nodeId().equals(nodeId) ? own : ask(node)));
        calls.keep(run.nodes().stream().map(RunSurvey::address).collect(Collectors.toUnmodifiableSet()));
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> new RunStatus(run, status(run, asked)));
    }

    private CompletableFuture<Answer> ask(NodeRecord node) {
        if (runKey.length == 0) {
            return CompletableFuture.completedFuture(Answer.silent("the run's key is not known yet"));
        }
        return calls.ask(address(node), runKey).handle((reply, error) -> answer(node, reply, error));
    }

    private Answer answer(NodeRecord node, @Nullable NodeReply reply, @Nullable Throwable error) {
        if (reply == null) {
            return Answer.silent(why(error == null ? Status.UNKNOWN : Status.fromThrowable(error)));
        }
        return reply.getNodeId().equals(node.nodeId())
                ? new Answer(reply, "")
                : Answer.silent("another agent is at its address");
    }

    private String why(Status status) {
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> "no answer within " + deadline.toMillis() + " ms";
            case UNAVAILABLE -> "no connection to its agent";
            case UNIMPLEMENTED -> "its agent is of an older version";
            default -> status.getCode().toString();
        };
    }

    private static Neighbour address(NodeRecord node) {
        return Neighbour.of(node.spec());
    }

    private static Answer of(String node, Map<String, CompletableFuture<Answer>> asked) {
        CompletableFuture<Answer> answer = asked.get(node);
        return answer == null ? Answer.silent("it was not asked") : answer.join();
    }

    /** @param asked by node; all are complete */
    private StatusReply status(RunDescription run, Map<String, CompletableFuture<Answer>> asked) {
        NodeReply own = of(nodeId, asked).reply();
        NodeReply coordinator = of(run.coordinator(), asked).reply();
        StatusReply.Builder status = StatusReply.newBuilder()
                .setRunId(run.runId())
                .setIncarnation(run.incarnation())
                .setPolicy(run.terms().policy())
                .setMinNodes(run.terms().nodes().minNodes())
                .setMaxNodes(run.terms().nodes().maxNodes())
                .setMaxRestarts(run.terms().maxRestarts())
                .setRestartWindowMillis(run.terms().restarts().window().toMillis())
                .setRestartRefundMillis(run.terms().restarts().refund().toMillis())
                .setRestartReturnsMillis(-1)
                .setCoordinator(run.coordinator())
                .setTls(run.terms().tls())
                .setAnsweredBy(nodeId)
                .setWaitingFor(coordinator.getWaitingFor())
                .setRoundAgeMillis(own.getRoundAgeMillis());
        Round round = run.round();
        if (round != null) {
            status.setRound(round.number())
                    .setWorld(round.world())
                    .setSuspended(round.suspended())
                    .setCause(round.cause())
                    .setWorldSize(round.worldSize())
                    .setBudgetUsed(round.budgetUsed())
                    .setRestarts(round.restarts())
                    .setIncident(round.incident())
                    .setVersion(round.checkpoint().version());
        }
        if (round != null && !round.used().agesMillis().isEmpty()) {
            status.setRestartReturnsMillis(run.terms().restarts().untilReturnMillis(round.used()));
        }
        for (NodeRecord node : run.nodes()) {
            NodeStatus.Builder of = node(node, round, of(node.nodeId(), asked));
            coordinator.getKeptOutList().stream()
                    .filter(kept -> kept.getNodeId().equals(node.nodeId()))
                    .findFirst()
                    .ifPresent(kept -> of.setKeptOut(kept.getWhy()).setKeptOutMillis(kept.getLeftMillis()));
            status.addNodes(of);
        }
        return status.build();
    }

    private static NodeStatus.Builder node(NodeRecord node, @Nullable Round round, Answer answer) {
        Optional<Participant> place = round == null ? Optional.empty() : round.placeOf(node);
        NodeStatus.Builder status = NodeStatus.newBuilder()
                .setNodeId(node.nodeId())
                .setHostLabel(node.spec().hostLabel())
                .setAddress(node.spec().address())
                .setControlPort(node.spec().controlPort())
                .setPhase(node.phase().name())
                .setParticipant(place.isPresent())
                .setSilence(answer.silence());
        if (answer.silence().isEmpty()) {
            return status.addAllWorkers(answer.reply().getWorkersList());
        }
        node.group().workers().forEach(worker -> status.addWorkers(stored(worker, place)));
        return status;
    }

    // The record of a worker in the store, if the worker's agent does not answer.
    private static WorkerStatus stored(WorkerRecord worker, Optional<Participant> place) {
        return WorkerStatus.newBuilder()
                .setSlot(worker.slot())
                .setAttempt(worker.attempt())
                .setPid(worker.pid())
                .setRank(place.map(found -> found.rankOf(worker.slot(), worker.attempt()))
                        .orElse(OptionalInt.empty())
                        .orElse(-1))
                .setStepsPerSecond(-1)
                .setStillMillis(-1)
                .build();
    }
}
