/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import io.grpc.CallCredentials;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Proves with every call that the caller knows the run key: asks for a challenge first, then answers it. */
final class RunKeyCredentials extends CallCredentials {
    private static final long CHALLENGE_SECONDS = 5;

    private final Channel channel;
    private final byte[] runKey;

    /** @param channel to the agent that is called */
    RunKeyCredentials(Channel channel, byte[] runKey) {
        this.channel = channel;
        this.runKey = runKey.clone();
    }

    @Override
    public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
        Deadline ours = Deadline.after(CHALLENGE_SECONDS, TimeUnit.SECONDS);
        Deadline theirs = call.getCallOptions().getDeadline();
        ControlGrpc.newStub(channel)
                .withDeadline(theirs == null ? ours : ours.minimum(theirs))
                .challenge(
                        ChallengeRequest.getDefaultInstance(),
                        new Answer(call.getMethodDescriptor().getFullMethodName(), applier));
    }

    private final class Answer implements StreamObserver<ChallengeReply> {
        private final String method;
        private final MetadataApplier applier;

        Answer(String method, MetadataApplier applier) {
            this.method = method;
            this.applier = applier;
        }

        @Override
        public void onNext(ChallengeReply reply) {
            Metadata headers = new Metadata();
            headers.put(
                    RunKeyGate.PROOF,
                    RunKeyProof.answer(runKey, reply.getChallenge(), method).toByteArray());
            applier.apply(headers);
        }

        @Override
        public void onError(Throwable cause) {
            applier.fail(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {
            // The reply was all.
        }
    }
}
