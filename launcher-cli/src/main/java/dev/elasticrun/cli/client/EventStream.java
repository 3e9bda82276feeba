/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.proto.EventsReply;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.NodeStatus;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Events that one agent sends. They come on a thread of the channel. */
final class EventStream implements StreamObserver<EventsReply>, AutoCloseable {
    private final String node;
    private final ControlClient client;
    private final boolean isShared;
    private final Consumer<EventsReply> sink;
    private final CompletableFuture<Optional<Status>> ended = new CompletableFuture<>();
    private volatile long partNanos = System.nanoTime();

    private EventStream(String node, ControlClient client, boolean isShared, Consumer<EventsReply> sink) {
        this.node = node;
        this.client = client;
        this.isShared = isShared;
        this.sink = sink;
    }

    /** @param sink receives lines of events, in the order of their agent, on a thread of the channel */
    static EventStream open(NodeStatus node, RunContact contact, EventsRequest request, Consumer<EventsReply> sink) {
        ControlClient client = new ControlClient(
                node.getAddress() + ":" + node.getControlPort(), node.getNodeId(), contact.key(), contact.tls());
        return open(node, client, false, request, sink);
    }

    /** The same for a short time, by the connection of the contact if that is to this agent. */
    static EventStream openShort(
            NodeStatus node, RunContact contact, EventsRequest request, Consumer<EventsReply> sink) {
        return contact.connected(node.getNodeId())
                .map(client -> open(node, client, true, request, sink))
                .orElseGet(() -> open(node, contact, request, sink));
    }

    private static EventStream open(
            NodeStatus node,
            ControlClient client,
            boolean isShared,
            EventsRequest request,
            Consumer<EventsReply> sink) {
        EventStream stream = new EventStream(node.getNodeId(), client, isShared, sink);
        stream.client.async().events(request, stream);
        return stream;
    }

    String node() {
        return node;
    }

    boolean isOver() {
        return ended.isDone();
    }

    /** Why it ended, or that nothing came within the limit; empty = all were sent. */
    Optional<String> await(Duration limit) {
        try {
            while (true) {
                long left = limit.toNanos() - (System.nanoTime() - partNanos);
                try {
                    return ended.get(Math.max(0, left), TimeUnit.NANOSECONDS).map(RunContact::describe);
                } catch (TimeoutException e) {
                    if (System.nanoTime() - partNanos >= limit.toNanos()) {
                        return Optional.of("nothing for " + limit.toSeconds() + " s");
                    }
                }
            }
        } catch (ExecutionException e) {
            return Optional.of(String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    @Override
    public void onNext(EventsReply part) {
        partNanos = System.nanoTime();
        sink.accept(part);
    }

    @Override
    public void onError(Throwable cause) {
        ended.complete(Optional.of(Status.fromThrowable(cause)));
    }

    @Override
    public void onCompleted() {
        ended.complete(Optional.empty());
    }

    @Override
    public void close() {
        if (!isShared) {
            client.close();
        }
    }
}
