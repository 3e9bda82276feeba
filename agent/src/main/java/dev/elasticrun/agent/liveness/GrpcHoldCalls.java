/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.HoldFrame;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A channel of gRPC. */
public record GrpcHoldCalls(ManagedChannel channel) implements HoldCalls {
    private static final Duration CHALLENGE_DEADLINE = Duration.ofSeconds(5);

    @Override
    public void challenge(ChallengeRequest request, StreamObserver<ChallengeReply> replies) {
        channel.resetConnectBackoff();
        ControlGrpc.newStub(channel)
                .withDeadlineAfter(CHALLENGE_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .challenge(request, replies);
    }

    @Override
    public StreamObserver<HoldFrame> hold(StreamObserver<HoldFrame> replies) {
        return ControlGrpc.newStub(channel).hold(replies);
    }

    @Override
    public void close() {
        channel.shutdown();
    }

    @Override
    public void abort() {
        channel.shutdownNow();
    }
}
