/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.UnsafeByteOperations;
import dev.elasticrun.proto.CheckpointsReply;
import dev.elasticrun.proto.CheckpointsRequest;
import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointHeader;
import dev.elasticrun.worker.contract.CheckpointId;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sends checkpoint files to other agents, on threads {@code checkpoint-stream}. A file that is replaced meanwhile is sent as it
 * was.
 */
final class CheckpointStreams {
    static final int MAX_STREAMS = 4;
    private static final int CHUNK = 1 << 18;

    private final CopyKeepers keepers = new CopyKeepers();
    private final ReplyStreams streams = new ReplyStreams("checkpoint-stream", "checkpoints", MAX_STREAMS);

    /** @param terms more nodes than these may not keep copies: they are refused, unless they fetch once */
    void start(
            CheckpointFiles files,
            CheckpointsRequest request,
            ControlPeer.CopyTerms terms,
            ServerCallStreamObserver<CheckpointsReply> caller) {
        String keeper = request.getKeeper();
        long start = System.nanoTime();
        if (!keeper.isEmpty() && !keepers.admits(keeper, terms.keepers(), start)) {
            caller.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("enough nodes have copies of this node's checkpoints: " + keepers.known(start))
                    .asRuntimeException());
            return;
        }
        streams.start(caller, () -> {
            answer(files, request, terms.since(), caller);
            if (!keeper.isEmpty()) {
                long end = System.nanoTime();
                keepers.served(keeper, end - start, end);
            }
        });
    }

    private static void answer(
            CheckpointFiles files,
            CheckpointsRequest request,
            long since,
            ServerCallStreamObserver<CheckpointsReply> caller)
            throws IOException {
        List<Opened> opened = new ArrayList<>();
        try {
            // All before the first is sent: what they were when they were listed belongs together, and stays until it
            // is closed.
            for (CheckpointFiles.Held held : files.held(request.getIncarnation())) {
                if (isNewer(held.id(), request)) {
                    open(held).ifPresent(opened::add);
                }
            }
            for (Opened file : opened) {
                send(file, since, caller);
            }
        } finally {
            for (Opened file : opened) {
                file.in().close();
            }
        }
        caller.onCompleted();
    }

    private record Opened(String name, FileChannel in) {}

    private static Optional<Opened> open(CheckpointFiles.Held held) throws IOException {
        try {
            return Optional.of(new Opened(held.name(), FileChannel.open(held.path(), StandardOpenOption.READ)));
        } catch (NoSuchFileException e) {
            // A newer version took its slot, and that is among the files or comes with the next call.
            return Optional.empty();
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

    private static void send(Opened file, long since, ServerCallStreamObserver<CheckpointsReply> caller)
            throws IOException {
        FileChannel in = file.in();
        long length = in.size();
        caller.onNext(CheckpointsReply.newBuilder()
                .setName(file.name())
                .setLength(length)
                .setSince(since)
                .build());
        for (long at = 0; at < length && !caller.isCancelled(); at = in.position()) {
            ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, length - at));
            CheckpointHeader.readFully(in, chunk);
            ReplyStreams.awaitReady(caller);
            caller.onNext(CheckpointsReply.newBuilder()
                    .setData(UnsafeByteOperations.unsafeWrap(chunk.flip()))
                    .build());
        }
    }
}
