/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.LogsReply;
import dev.elasticrun.proto.LogsRequest;
import dev.elasticrun.proto.Proof;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Asks an agent. Blocks, for as long as the deadline at most. */
final class ControlClient implements AutoCloseable {
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;
    private final Duration deadline;
    private final ManagedChannel channel;

    ControlClient(LocalRuns.LocalRun run, Duration deadline) {
        this(run.file().control(), run.key(), deadline);
    }

    /**
     * @param control HOST:PORT of any agent of the run
     * @param key of the run
     */
    ControlClient(String control, byte[] key, Duration deadline) {
        this.key = key.clone();
        this.deadline = deadline;
        int colon = control.lastIndexOf(':');
        this.channel = NettyChannelBuilder.forAddress(
                        control.substring(0, colon), Integer.parseInt(control.substring(colon + 1)))
                .usePlaintext()
                .directExecutor()
                .build();
    }

    /** @throws io.grpc.StatusRuntimeException when the agent refuses or does not answer in time */
    StatusReply status() {
        return agent().status(StatusRequest.newBuilder().setProof(proof()).build());
    }

    /**
     * Asks for logs; they come on a thread of the channel.
     *
     * @param slots local ranks; empty = all
     * @throws io.grpc.StatusRuntimeException when the agent does not answer in time
     */
    void logs(List<Integer> slots, boolean follow, StreamObserver<LogsReply> replies) {
        LogsRequest request = LogsRequest.newBuilder()
                .setProof(proof())
                .addAllSlots(slots)
                .setFollow(follow)
                .build();
        ControlGrpc.newStub(channel).logs(request, replies);
    }

    private ControlGrpc.ControlBlockingStub agent() {
        return ControlGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Proof proof() {
        ByteString challenge =
                agent().challenge(ChallengeRequest.getDefaultInstance()).getChallenge();
        return Proof.newBuilder()
                .setChallenge(challenge)
                .setMac(answer(challenge))
                .build();
    }

    private ByteString answer(ByteString challenge) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return ByteString.copyFrom(mac.doFinal(challenge.toByteArray()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
