/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.elasticrun.agent.liveness.OutgoingLink;
import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.HoldHello;
import dev.elasticrun.proto.Proof;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.SocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls pass whose callers know the run key. A call without a proof, or with a wrong one, ends before the service
 * sees it, and is reported. {@code Challenge} is open to all callers, {@code Hold} carries its proof in its first
 * frame.
 */
final class RunKeyGate implements ServerInterceptor {
    static final Metadata.Key<byte[]> PROOF =
            Metadata.Key.of("elastic-run-proof" + Metadata.BINARY_HEADER_SUFFIX, Metadata.BINARY_BYTE_MARSHALLER);

    private static final Set<MethodDescriptor<?, ?>> OPEN =
            Set.of(ControlGrpc.getChallengeMethod(), ControlGrpc.getHoldMethod());

    private final String nodeId;
    private final ConnectionGate gate;
    private final RunKeyProof proofs;
    private final Refusals refusals;

    RunKeyGate(String nodeId, RunKeyProof proofs, ConnectionGate gate, Refusals refusals) {
        this.gate = gate;
        this.nodeId = nodeId;
        this.proofs = proofs;
        this.refusals = refusals;
    }

    /** A challenge for a caller, with the proof of this node if it has joined. */
    ChallengeReply greet(ByteString nonce) {
        return proofs.greet(nonce, nodeId);
    }

    /**
     * Whether the caller of {@code Hold} knows the run key, by its first frame.
     *
     * @param meant whether that is for this node: what was for another one is not reported
     */
    boolean admits(HoldHello hello, boolean meant, @Nullable SocketAddress from) {
        boolean proved = proofs.holds(
                hello.getProof(),
                ControlGrpc.getHoldMethod().getFullMethodName(),
                nodeId,
                OutgoingLink.unproved(hello));
        if (meant && !proved && proofs.ready()) {
            refusals.call("Hold", String.valueOf(from));
        }
        if (meant && proved) {
            gate.proved(from);
        }
        return meant && proved;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (OPEN.contains(call.getMethodDescriptor())) {
            return next.startCall(call, headers);
        }
        if (!proofs.ready()) {
            return refuse(call, Status.UNAVAILABLE.withDescription("this agent has not joined its run yet"));
        }
        // The one request, and whether there is another.
        call.request(2);
        return new Asked<>(call, headers, next);
    }

    // Waits for the request, which the proof covers.
    private final class Asked<Q, R> extends ServerCall.Listener<Q> {
        private final ServerCall<Q, R> call;
        private final Metadata headers;
        private final ServerCallHandler<Q, R> next;
        private ServerCall.@Nullable Listener<Q> proved;
        private boolean refused;

        Asked(ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            this.call = call;
            this.headers = headers;
            this.next = next;
        }

        @Override
        public void onMessage(Q request) {
            if (refused) {
                return;
            }
            String method = call.getMethodDescriptor().getFullMethodName();
            if (proved == null && proofs.holds(proof(headers), method, nodeId, bytes(request))) {
                gate.proved(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
                proved = next.startCall(call, headers);
            }
            if (proved == null) {
                refuse(method);
            } else {
                proved.onMessage(request);
            }
        }

        private void refuse(String method) {
            refused = true;
            refusals.call(
                    method.substring(method.lastIndexOf('/') + 1),
                    String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
            RunKeyGate.refuse(
                    call, Status.UNAUTHENTICATED.withDescription("the caller does not know the key of this run"));
        }

        @Override
        public void onHalfClose() {
            if (proved != null) {
                proved.onHalfClose();
            } else if (!refused) {
                refuse(call.getMethodDescriptor().getFullMethodName());
            }
        }

        @Override
        public void onCancel() {
            if (proved != null) {
                proved.onCancel();
            }
        }

        @Override
        public void onComplete() {
            if (proved != null) {
                proved.onComplete();
            }
        }

        @Override
        public void onReady() {
            if (proved != null) {
                proved.onReady();
            }
        }
    }

    // All requests are protobuf messages, which one version serializes in one way.
    private static ByteString bytes(Object request) {
        return ((MessageLite) request).toByteString();
    }

    // Without a proof, returns one that never matches.
    private static Proof proof(Metadata headers) {
        byte[] bytes = headers.get(PROOF);
        try {
            return bytes == null ? Proof.getDefaultInstance() : Proof.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return Proof.getDefaultInstance();
        }
    }

    private static <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call, Status status) {
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
