/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import dev.elasticrun.proto.EventsReply;
import dev.elasticrun.proto.EventsRequest;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Sends events to callers, on threads {@code event-stream}.
 */
final class EventStreams {
    static final int MAX_STREAMS = 16;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReplyStreams streams = new ReplyStreams("event-stream", "events", MAX_STREAMS);

    /** @param directory of this node's logs; those of the run's other nodes on this host are beside it */
    void start(Path directory, EventsRequest request, ServerCallStreamObserver<EventsReply> caller) {
        streams.start(caller, () -> answer(directory, request, caller));
    }

    private static void answer(Path directory, EventsRequest request, ServerCallStreamObserver<EventsReply> caller)
            throws IOException {
        String name = request.getDecisions() ? LogNames.DECISIONS : LogNames.EVENTS;
        List<Path> nodes = request.getOthers() ? others(directory, request.getExceptList()) : List.of(directory);
        for (Path node : nodes) {
            boolean follow = request.getFollow() && !request.getOthers();
            send(node, name, request.getOthers() ? 0 : request.getFrom(), follow, caller);
        }
        if (!caller.isCancelled()) {
            caller.onCompleted();
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

    private static void send(
            Path node, String name, long from, boolean follow, ServerCallStreamObserver<EventsReply> caller)
            throws IOException {
        EventTail tail = new EventTail(node.resolve(name), from);
        while (!caller.isCancelled()) {
            byte[] lines = tail.next();
            if (lines.length > 0) {
                ReplyStreams.awaitReady(caller);
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
}
