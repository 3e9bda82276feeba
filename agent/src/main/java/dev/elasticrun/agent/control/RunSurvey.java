/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.facts.NodeAnswer;
import dev.elasticrun.agent.facts.RunFacts;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.loop.EventLoop;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what the whole run does: the store's view, and what all agents say of their workers. They are asked at the
 * same time, and none is waited for longer than the deadline. Safe for use by any thread.
 */
final class RunSurvey {
    private final String nodeId;
    private final EventLoop loop;
    private final ControlPeer peer;
    private final NodeCalls calls;
    private final Duration deadline;
    private volatile byte[] runKey = {};

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
    CompletableFuture<RunFacts> take() {
        // First, since it reads files, and what follows runs on threads that should not.
        CompletableFuture<NodeAnswer> own = peer.facts().thenApply(NodeAnswer::of);
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

    private CompletableFuture<RunFacts> ask(RunDescription run, CompletableFuture<NodeAnswer> own) {
        List<CompletableFuture<NodeAnswer>> answers = run.nodes().stream()
                .map(node -> node.nodeId().equals(nodeId) ? own : ask(node))
                .toList();
        calls.keep(run.nodes().stream().map(RunSurvey::address).collect(Collectors.toUnmodifiableSet()));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> new RunFacts(
                        run,
                        nodeId,
                        answers.stream().map(CompletableFuture::join).toList()));
    }

    private CompletableFuture<NodeAnswer> ask(NodeRecord node) {
        return calls.ask(address(node), runKey).handle((reply, error) -> answer(node, reply, error));
    }

    private NodeAnswer answer(NodeRecord node, @Nullable NodeReply reply, @Nullable Throwable error) {
        if (reply == null) {
            return NodeAnswer.silent(node.nodeId(), why(error == null ? Status.UNKNOWN : Status.fromThrowable(error)));
        }
        return reply.getNodeId().equals(node.nodeId())
                ? NodeAnswer.of(NodeReplies.facts(reply))
                : NodeAnswer.silent(node.nodeId(), "another agent is at its address");
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
        return new Neighbour(node.nodeId(), node.address(), node.controlPort());
    }
}
