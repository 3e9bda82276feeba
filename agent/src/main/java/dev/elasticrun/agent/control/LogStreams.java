/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.logs.LogEnds;
import dev.elasticrun.proto.LogsReply;
import dev.elasticrun.proto.LogsRequest;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends logs to callers, on threads {@code log-stream}.
 */
final class LogStreams {
    static final int MAX_STREAMS = 16;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReplyStreams streams = new ReplyStreams("log-stream", "logs", MAX_STREAMS);

    void start(Path directory, LogsRequest request, ServerCallStreamObserver<LogsReply> caller) {
        streams.start(caller, () -> answer(directory, request, caller));
    }

    private static void answer(Path directory, LogsRequest request, ServerCallStreamObserver<LogsReply> caller)
            throws IOException {
        if (request.getEndOnly()) {
            sendEnds(directory, request.getSlotsList(), caller);
            caller.onCompleted();
            return;
        }
        LogCursor cursor = new LogCursor(directory, request.getSlotsList());
        while (!caller.isCancelled()) {
            boolean more = send(cursor.next(!request.getFollow()), caller);
            if (!more && !request.getFollow()) {
                caller.onCompleted();
                return;
            } else if (!more) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static void sendEnds(Path directory, List<Integer> slots, ServerCallStreamObserver<LogsReply> caller)
            throws IOException {
        LogEnds ends = new LogEnds(directory);
        List<LogCursor.Part> parts = new ArrayList<>();
        for (int slot : slots) {
            for (boolean stderr : new boolean[] {false, true}) {
                parts.add(new LogCursor.Part(
                        slot, 0, stderr, ends.read(slot, stderr).text().getBytes(StandardCharsets.UTF_8)));
            }
        }
        send(parts, caller);
    }

    private static boolean send(List<LogCursor.Part> parts, ServerCallStreamObserver<LogsReply> caller) {
        for (LogCursor.Part part : parts) {
            ReplyStreams.awaitReady(caller);
            if (caller.isCancelled()) {
                return false;
            }
            caller.onNext(LogsReply.newBuilder()
                    .setSlot(part.slot())
                    .setAttempt(part.attempt())
                    .setStderr(part.stderr())
                    .setText(ByteString.copyFrom(part.text()))
                    .build());
        }
        return !parts.isEmpty();
    }
}
