/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.Proof;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;

/**
 * Lets calls pass whose callers know the run key. A call without a proof, or with a wrong one, ends before the service
 * sees it, and is told of. {@code Challenge} is open to all, {@code Hold} carries its proof in its first frame.
 */
final class RunKeyGate implements ServerInterceptor {
    static final Metadata.Key<byte[]> PROOF =
            Metadata.Key.of("elastic-run-proof" + Metadata.BINARY_HEADER_SUFFIX, Metadata.BINARY_BYTE_MARSHALLER);

    private static final Set<MethodDescriptor<?, ?>> OPEN =
            Set.of(ControlGrpc.getChallengeMethod(), ControlGrpc.getHoldMethod());

    private final RunKeyProof proofs;
    private final Refusals refusals;

    RunKeyGate(RunKeyProof proofs, Refusals refusals) {
        this.proofs = proofs;
        this.refusals = refusals;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        if (OPEN.contains(call.getMethodDescriptor())) {
            return next.startCall(call, headers);
        }
        if (!proofs.ready()) {
            return refuse(call, Status.UNAVAILABLE.withDescription("this agent has not joined its run yet"));
        }
        if (!proofs.holds(proof(headers), method)) {
            refusals.call(
                    method.substring(method.lastIndexOf('/') + 1),
                    String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
            return refuse(call, Status.UNAUTHENTICATED.withDescription("the caller does not know the key of this run"));
        }
        return next.startCall(call, headers);
    }

    /** One that holds against nothing if there is none. */
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
