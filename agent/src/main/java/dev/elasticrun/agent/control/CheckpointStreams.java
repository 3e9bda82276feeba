/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.UnsafeByteOperations;
import dev.elasticrun.proto.CheckpointsReply;
import dev.elasticrun.proto.CheckpointsRequest;
import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.Daemons;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends checkpoint files to other agents, each call on a thread {@code checkpoint-stream} of its own that waits for a slow
 * caller. A file that is replaced meanwhile is sent as it was. Refuses calls beyond a limit.
 */
final class CheckpointStreams {
    static final int MAX_STREAMS = 4;
    private static final int CHUNK = 1 << 18;
    private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicInteger running = new AtomicInteger();

    void start(CheckpointFiles files, CheckpointsRequest request, ServerCallStreamObserver<CheckpointsReply> caller) {
        // Without a handler of its own an answer to a caller that went away would throw.
        caller.setOnCancelHandler(() -> {});
        if (running.incrementAndGet() > MAX_STREAMS) {
            running.decrementAndGet();
            caller.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("this agent sends checkpoints to " + MAX_STREAMS + " callers already")
                    .asRuntimeException());
            return;
        }
        Daemons.start("checkpoint-stream", () -> run(files, request, caller));
    }

    private void run(
            CheckpointFiles files, CheckpointsRequest request, ServerCallStreamObserver<CheckpointsReply> caller) {
        try {
            for (CheckpointFiles.Held held : files.held(request.getIncarnation())) {
                if (isNewer(held.id(), request)) {
                    send(held, caller);
                }
            }
            caller.onCompleted();
        } catch (IOException | RuntimeException e) {
            caller.onError(Status.INTERNAL
                    .withDescription("a checkpoint cannot be read: " + e.getMessage())
                    .asRuntimeException());
        } finally {
            running.decrementAndGet();
        }
    }

    private static boolean isNewer(CheckpointId held, CheckpointsRequest known) {
        return known.getVersion() == 0
                || CheckpointFiles.NEWEST.compare(
                                held,
                                new CheckpointId(
                                        known.getIncarnation(),
                                        known.getWorld(),
                                        known.getVersion(),
                                        known.getDigest()))
                        > 0;
    }

    private static void send(CheckpointFiles.Held held, ServerCallStreamObserver<CheckpointsReply> caller)
            throws IOException {
        try (FileChannel in = FileChannel.open(held.path(), StandardOpenOption.READ)) {
            long length = in.size();
            caller.onNext(CheckpointsReply.newBuilder()
                    .setName(held.name())
                    .setLength(length)
                    .build());
            for (long at = 0; at < length && !caller.isCancelled(); at = in.position()) {
                ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, length - at));
                while (chunk.hasRemaining() && in.read(chunk) >= 0) {
                    // Reads on until the chunk is full or the file ends.
                }
                awaitReady(caller);
                caller.onNext(CheckpointsReply.newBuilder()
                        .setData(UnsafeByteOperations.unsafeWrap(chunk.flip()))
                        .build());
            }
        } catch (NoSuchFileException e) {
            // A newer version took its slot, and that is among the files or comes with the next call.
        }
    }

    private static void awaitReady(ServerCallStreamObserver<CheckpointsReply> caller) {
        while (!caller.isReady() && !caller.isCancelled()) {
            LockSupport.parkNanos(READY_NANOS);
        }
    }
}
