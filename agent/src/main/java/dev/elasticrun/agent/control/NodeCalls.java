/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.logs.EventPart;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.CurvesRequest;
import dev.elasticrun.proto.EventsReply;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.NodeRequest;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Asks agents of other nodes for the state of their workers, for their curves and for their events. Connections are kept while calls
 * recur. Safe for use by any thread.
 */
final class NodeCalls implements AutoCloseable {
    private final Function<Neighbour, ManagedChannel> channels;
    private final Duration deadline;
    // Guards itself.
    private final Map<Neighbour, ManagedChannel> lines = new HashMap<>();
    private boolean closed;

    /** @param channels makes one that closes idle connections by itself */
    NodeCalls(Function<Neighbour, ManagedChannel> channels, Duration deadline) {
        this.channels = channels;
        this.deadline = deadline;
    }

    /** Completes within the deadline, with a {@code StatusRuntimeException} when the agent does not answer. */
    CompletableFuture<NodeReply> ask(Neighbour node, byte[] runKey) {
        Answer<NodeReply> answer = new Answer<>();
        agent(node, runKey, deadline).node(NodeRequest.getDefaultInstance(), answer);
        return answer.reply;
    }

    /** What its workers did until now. Completes as {@link #ask} does, within the limit. */
    CompletableFuture<NodeCurves> curves(Neighbour node, byte[] runKey, Duration limit) {
        Answer<NodeCurves> answer = new Answer<>();
        agent(node, runKey, limit).curves(CurvesRequest.getDefaultInstance(), answer);
        return answer.reply;
    }

    /**
     * Events of an agent, or of others that it knows. Completes as {@link #ask} does, within the limit.
     *
     * @param newestBytes of each node's lines, beside the first ones; those between are left out
     */
    CompletableFuture<List<EventPart>> events(
            Neighbour node, byte[] runKey, EventsRequest request, Duration limit, int newestBytes) {
        Parts parts = new Parts(newestBytes);
        agent(node, runKey, limit).events(request, parts);
        return parts.all;
    }

    // The key is that of this call: a run can be asked about before its key is known.
    private ControlGrpc.ControlStub agent(Neighbour node, byte[] runKey, Duration limit) {
        return ControlGrpc.newStub(ClientInterceptors.intercept(line(node), new ProvenCalls(runKey, node.nodeId())))
                .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private ManagedChannel line(Neighbour node) {
        synchronized (lines) {
            ManagedChannel line = lines.computeIfAbsent(node, channels);
            if (closed) {
                line.shutdownNow();
            } else {
                // A node that was away is not asked less often for it.
                line.resetConnectBackoff();
            }
            return line;
        }
    }

    /** Forgets all nodes but these. */
    void keep(Set<Neighbour> nodes) {
        synchronized (lines) {
            lines.entrySet().removeIf(entry -> {
                boolean gone = !nodes.contains(entry.getKey());
                if (gone) {
                    entry.getValue().shutdown();
                }
                return gone;
            });
        }
    }

    @Override
    public void close() {
        synchronized (lines) {
            closed = true;
            lines.values().forEach(ManagedChannel::shutdownNow);
        }
    }

    private static final class Answer<T> implements StreamObserver<T> {
        private final CompletableFuture<T> reply = new CompletableFuture<>();

        @Override
        public void onNext(T value) {
            reply.complete(value);
        }

        @Override
        public void onError(Throwable cause) {
            reply.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            // The reply was all.
        }
    }

    // Each node's lines come in order, and one node's after the other's. Of many parts only the first and the newest
    // are kept: the first contain the node's identity.
    private static final class Parts implements StreamObserver<EventsReply> {
        private static final int FIRST_BYTES = 1 << 12;

        private final int newestBytes;
        private final CompletableFuture<List<EventPart>> all = new CompletableFuture<>();
        private final Map<String, Deque<EventPart>> parts = new LinkedHashMap<>();

        Parts(int newestBytes) {
            this.newestBytes = newestBytes;
        }

        @Override
        public void onNext(EventsReply reply) {
            Deque<EventPart> node = parts.computeIfAbsent(reply.getNodeId(), unknown -> new ArrayDeque<>());
            EventPart newest = new EventPart(
                    reply.getNodeId(), reply.getFrom(), reply.getLines().toByteArray());
            node.addLast(newest);
            EventPart first = node.getFirst();
            if (node.size() > 2 && first.end() - first.from() >= FIRST_BYTES) {
                // It is kept; those behind it go.
                node.removeFirst();
                while (node.size() > 1 && newest.from() - node.getFirst().end() >= newestBytes) {
                    node.removeFirst();
                }
                node.addFirst(first);
            } else if (node.size() == 2 && first.end() - first.from() < FIRST_BYTES && first.end() == newest.from()) {
                node.clear();
                node.addLast(first.with(newest));
            }
        }

        /** Parts that have arrived are used; the next call requests the rest. */
        @Override
        public void onError(Throwable cause) {
            if (parts.isEmpty()) {
                all.completeExceptionally(cause);
            } else {
                onCompleted();
            }
        }

        @Override
        public void onCompleted() {
            all.complete(parts.values().stream().flatMap(Deque::stream).toList());
        }
    }
}
