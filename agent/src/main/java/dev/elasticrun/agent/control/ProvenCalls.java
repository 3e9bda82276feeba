/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ControlGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Proves with every call that the caller knows the run key: asks for a challenge first, verifies that the sender of the
 * challenge knows the key, too, and is the node that is meant, then answers it for this request. For calls with one
 * request.
 */
final class ProvenCalls implements ClientInterceptor {
    private static final long CHALLENGE_SECONDS = 5;

    private final SecureRandom random = new SecureRandom();
    private final byte[] runKey;
    private final String nodeId;

    /** @param nodeId whose agent is meant; empty = of whichever node of the run */
    ProvenCalls(byte[] runKey, String nodeId) {
        this.runKey = runKey.clone();
        this.nodeId = nodeId;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new Call<>(method, options, next);
    }

    // What is wrong with the answering node; null = nothing.
    private @Nullable Status distrust(ByteString nonce, ChallengeReply reply) {
        if (reply.getMac().isEmpty()) {
            return Status.UNAVAILABLE.withDescription("this agent has not joined its run yet");
        } else if (!RunKeyProof.isGreeting(runKey, nonce, reply)) {
            return Status.UNAUTHENTICATED.withDescription("the agent there and the caller have different run keys");
        } else if (!nodeId.isEmpty() && !nodeId.equals(reply.getNodeId())) {
            return Status.UNAVAILABLE.withDescription(
                    "node " + reply.getNodeId() + " is there (expected: node " + nodeId + ")");
        }
        return null;
    }

    // Delays all calls on it until there is a proof.
    private final class Call<Q, R> extends ClientCall<Q, R> {
        private final MethodDescriptor<Q, R> method;
        private final CallOptions options;
        private final Channel channel;
        private final ClientCall<Q, R> call;
        private final ByteString nonce = RunKeyProof.nonce(random);
        // Guarded by this, until the call has started: the thread of the caller, and that of the challenge's answer.
        private @Nullable Listener<R> listener;
        private @Nullable Metadata headers;
        private @Nullable Q request;
        private int wanted;
        private boolean started;
        private boolean ended;

        Call(MethodDescriptor<Q, R> method, CallOptions options, Channel channel) {
            this.method = method;
            this.options = options;
            this.channel = channel;
            this.call = channel.newCall(method, options);
        }

        @Override
        public synchronized void start(Listener<R> responses, Metadata sent) {
            listener = responses;
            headers = sent;
        }

        @Override
        public synchronized void request(int messages) {
            if (started) {
                call.request(messages);
            } else {
                wanted += messages;
            }
        }

        @Override
        public synchronized void sendMessage(Q message) {
            request = message;
        }

        @Override
        public void halfClose() {
            Deadline ours = Deadline.after(CHALLENGE_SECONDS, TimeUnit.SECONDS);
            Deadline theirs = options.getDeadline();
            ControlGrpc.newStub(channel)
                    .withDeadline(theirs == null ? ours : ours.minimum(theirs))
                    .challenge(ChallengeRequest.newBuilder().setNonce(nonce).build(), new StreamObserver<>() {
                        @Override
                        public void onNext(ChallengeReply reply) {
                            Status distrust = distrust(nonce, reply);
                            if (distrust == null) {
                                ask(reply);
                            } else {
                                end(distrust);
                            }
                        }

                        @Override
                        public void onError(Throwable failure) {
                            end(Status.fromThrowable(failure));
                        }

                        @Override
                        public void onCompleted() {
                            // The reply was all.
                        }
                    });
        }

        private synchronized void ask(ChallengeReply reply) {
            Listener<R> responses = listener;
            Metadata sent = headers;
            Q asked = request;
            if (ended || responses == null || sent == null || asked == null) {
                return;
            }
            sent.put(
                    RunKeyGate.PROOF,
                    RunKeyProof.answer(
                                    runKey,
                                    reply.getChallenge(),
                                    method.getFullMethodName(),
                                    reply.getNodeId(),
                                    ((MessageLite) asked).toByteString())
                            .toByteArray());
            started = true;
            call.start(responses, sent);
            call.request(wanted);
            call.sendMessage(asked);
            call.halfClose();
        }

        private void end(Status status) {
            Listener<R> responses;
            synchronized (this) {
                if (ended || started) {
                    return;
                }
                ended = true;
                responses = listener;
            }
            Executor executor = options.getExecutor();
            if (responses != null && executor != null) {
                // A caller that blocks waits for its executor.
                executor.execute(() -> responses.onClose(status, new Metadata()));
            } else if (responses != null) {
                responses.onClose(status, new Metadata());
            }
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            end(Status.CANCELLED.withDescription(message).withCause(cause));
            synchronized (this) {
                if (started) {
                    call.cancel(message, cause);
                }
            }
        }
    }
}
