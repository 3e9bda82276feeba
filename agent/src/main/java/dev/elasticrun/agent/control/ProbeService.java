/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.elasticrun.proto.ClockReply;
import dev.elasticrun.proto.ClockRequest;
import dev.elasticrun.proto.ProbeGrpc;
import dev.elasticrun.proto.TransferReply;
import dev.elasticrun.proto.TransferRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Clock;

/** Sends as fast as a caller takes it; on gRPC's threads, and without blocking. Behind a {@link RunKeyGate}. */
final class ProbeService extends ProbeGrpc.ProbeImplBase {
    static final int CHUNK_BYTES = 256 << 10;
    private static final ByteString CHUNK = UnsafeByteOperations.unsafeWrap(new byte[CHUNK_BYTES]);

    private final Clock clock;

    ProbeService(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void transfer(TransferRequest request, StreamObserver<TransferReply> responses) {
        ServerCallStreamObserver<TransferReply> caller = (ServerCallStreamObserver<TransferReply>) responses;
        Sending sending = new Sending(caller, request.getBytes());
        // Without a handler of its own an answer to a caller that went away would throw.
        caller.setOnCancelHandler(() -> {});
        caller.setOnReadyHandler(sending::send);
        // The call was ready before its proof was read, which is not repeated.
        sending.send();
    }

    @Override
    public void clock(ClockRequest request, StreamObserver<ClockReply> responses) {
        responses.onNext(ClockReply.newBuilder().setUnixMillis(clock.millis()).build());
        responses.onCompleted();
    }

    /** One transfer. Its calls come one after the other. */
    private static final class Sending {
        private final ServerCallStreamObserver<TransferReply> caller;
        private long left;
        private boolean done;

        Sending(ServerCallStreamObserver<TransferReply> caller, long bytes) {
            this.caller = caller;
            this.left = bytes;
        }

        void send() {
            while (!done && caller.isReady()) {
                int size = (int) Math.min(left, CHUNK_BYTES);
                if (size > 0) {
                    caller.onNext(TransferReply.newBuilder()
                            .setContent(CHUNK.substring(0, size))
                            .build());
                    left -= size;
                }
                if (left == 0) {
                    done = true;
                    caller.onCompleted();
                }
            }
        }
    }
}
