/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.incident.RunEvent;
import dev.elasticrun.proto.EventsReply;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.proto.NodeStatus;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
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
    private final Consumer<RunEvent> sink;
    private final CompletableFuture<Optional<Status>> ended = new CompletableFuture<>();

    private EventStream(String node, ControlClient client, Consumer<RunEvent> sink) {
        this.node = node;
        this.client = client;
        this.sink = sink;
    }

    /** @param sink hears of each event, in the order of its agent, on a thread of the channel */
    static EventStream open(NodeStatus node, RunContact contact, EventsRequest request, Consumer<RunEvent> sink) {
        ControlClient client =
                new ControlClient(node.getAddress() + ":" + node.getControlPort(), contact.key(), contact.tls());
        EventStream stream = new EventStream(node.getNodeId(), client, sink);
        stream.client.async().events(request, stream);
        return stream;
    }

    String node() {
        return node;
    }

    boolean isOver() {
        return ended.isDone();
    }

    /** Why it ended, or that it did not within this time; empty = all were sent. */
    Optional<String> await(Duration limit) {
        try {
            return ended.get(limit.toMillis(), TimeUnit.MILLISECONDS).map(RunContact::describe);
        } catch (TimeoutException e) {
            return Optional.of("not within " + limit.toSeconds() + " s");
        } catch (ExecutionException e) {
            return Optional.of(String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    @Override
    public void onNext(EventsReply part) {
        RunEvent.parseAll(part.getLines().toString(StandardCharsets.UTF_8)).forEach(sink);
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
        client.close();
    }
}
