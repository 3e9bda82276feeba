/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.Proof;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Asks an agent of this host. Blocks, for as long as the deadline at most. */
final class ControlClient implements AutoCloseable {
    private static final String ALGORITHM = "HmacSHA256";

    private final LocalRuns.LocalRun run;
    private final Duration deadline;
    private final ManagedChannel channel;

    ControlClient(LocalRuns.LocalRun run, Duration deadline) {
        this.run = run;
        this.deadline = deadline;
        String control = run.file().control();
        int colon = control.lastIndexOf(':');
        this.channel = NettyChannelBuilder.forAddress(
                        control.substring(0, colon), Integer.parseInt(control.substring(colon + 1)))
                .usePlaintext()
                .directExecutor()
                .build();
    }

    /** @throws io.grpc.StatusRuntimeException when the agent refuses or does not answer in time */
    StatusReply status() {
        ControlGrpc.ControlBlockingStub agent =
                ControlGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
        ByteString challenge =
                agent.challenge(ChallengeRequest.getDefaultInstance()).getChallenge();
        return agent.status(StatusRequest.newBuilder()
                .setProof(Proof.newBuilder().setChallenge(challenge).setMac(answer(challenge)))
                .build());
    }

    private ByteString answer(ByteString challenge) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(run.key(), ALGORITHM));
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
