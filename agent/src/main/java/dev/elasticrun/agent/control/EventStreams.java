/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import dev.elasticrun.proto.EventsReply;
import dev.elasticrun.proto.EventsRequest;
import dev.elasticrun.worker.contract.Daemons;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Sends events to callers, each on a thread {@code event-stream} of its own that waits for callers which are slow. Few at
 * a time: a caller more is refused.
 */
final class EventStreams {
    static final int MAX_STREAMS = 16;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final AtomicInteger running = new AtomicInteger();

    /** @param directory of this node's logs; those of the run's other nodes on this host are beside it */
    void start(Path directory, EventsRequest request, ServerCallStreamObserver<EventsReply> caller) {
        // Without a handler of its own an answer to a caller that went away would throw.
        caller.setOnCancelHandler(() -> {});
        if (running.incrementAndGet() > MAX_STREAMS) {
            running.decrementAndGet();
            caller.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("this agent sends events to " + MAX_STREAMS + " callers already")
                    .asRuntimeException());
            return;
        }
        Daemons.start("event-stream", () -> run(directory, request, caller));
    }

    private void run(Path directory, EventsRequest request, ServerCallStreamObserver<EventsReply> caller) {
        try {
            List<Path> nodes = request.getOthers() ? others(directory, request.getExceptList()) : List.of(directory);
            for (Path node : nodes) {
                boolean follow = request.getFollow() && !request.getOthers();
                send(node, request.getOthers() ? 0 : request.getFrom(), follow, caller);
            }
            if (!caller.isCancelled()) {
                caller.onCompleted();
            }
        } catch (IOException e) {
            caller.onError(Status.INTERNAL
                    .withDescription("events cannot be read: " + e.getMessage())
                    .asRuntimeException());
        } finally {
            running.decrementAndGet();
        }
    }

    private static List<Path> others(Path directory, List<String> except) throws IOException {
        Path parent = directory.getParent();
        if (parent == null) {
            return List.of();
        }
        try (Stream<Path> nodes = Files.list(parent)) {
            return nodes.filter(node -> !node.equals(directory)
                            && !except.contains(node.getFileName().toString())
                            && Files.isRegularFile(node.resolve(LogNames.EVENTS), LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }

    private static void send(Path node, long from, boolean follow, ServerCallStreamObserver<EventsReply> caller)
            throws IOException {
        EventTail tail = new EventTail(node.resolve(LogNames.EVENTS), from);
        while (!caller.isCancelled()) {
            byte[] lines = tail.next();
            if (lines.length > 0) {
                awaitReady(caller);
                if (!caller.isCancelled()) {
                    caller.onNext(EventsReply.newBuilder()
                            .setNodeId(node.getFileName().toString())
                            .setLines(ByteString.copyFrom(lines))
                            .setFrom(tail.offset() - lines.length)
                            .build());
                }
            } else if (!follow) {
                return;
            } else {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static void awaitReady(ServerCallStreamObserver<EventsReply> caller) {
        while (!caller.isReady() && !caller.isCancelled()) {
            LockSupport.parkNanos(READY_NANOS);
        }
    }
}
