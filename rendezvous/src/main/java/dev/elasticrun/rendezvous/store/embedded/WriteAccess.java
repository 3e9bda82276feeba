/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import dev.elasticrun.rendezvous.store.CallProof;
import io.etcd.jetcd.api.AuthGrpc;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.SocketAddress;
import java.util.Optional;

/** Lets calls in that prove to know the store's secret; others only as far as reads are open. */
final class WriteAccess implements ServerInterceptor {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Boolean> GRANTED = Context.keyWithDefault("write-access", Boolean.FALSE);
    private static final Status REFUSED = Status.UNAUTHENTICATED.withDescription("refused: this store answers agents of"
            + " its run only (expected: a proof of the run key with each call; --store-open-reads lets others read)");
    /** In the words of etcd, as its clients then ask for a new one. */
    private static final Status STALE = Status.UNAUTHENTICATED.withDescription("invalid auth token");

    private final ConnectionGate gate;
    private final StoreAccess access;
    private final Sessions sessions;
    private final EmbeddedEtcdServer.Refused refused;

    WriteAccess(StoreAccess access, Sessions sessions, ConnectionGate gate, EmbeddedEtcdServer.Refused refused) {
        this.refused = refused;
        this.gate = gate;
        this.access = access;
        this.sessions = sessions;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        String secret = access.secret();
        String given = headers.get(TOKEN);
        boolean granted = secret == null;
        if (secret != null && given != null) {
            Optional<CallProof> proof = CallProof.parse(given).filter(each -> each.holds(secret, method));
            granted = proof.isPresent();
            if (granted && !sessions.take(proof.get(), System.nanoTime())) {
                return refuse(call, STALE);
            }
        }
        boolean open = access.openReads()
                || method.equals(AuthGrpc.getAuthenticateMethod().getFullMethodName());
        if (!granted && !open) {
            refused.onRefused(method, String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
            return refuse(call, REFUSED);
        }
        if (granted || access.openReads()) {
            SocketAddress from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
            gate.proved(from);
        }
        return Contexts.interceptCall(Context.current().withValue(GRANTED, granted), call, headers, next);
    }

    private static <Q, R> ServerCall.Listener<Q> refuse(ServerCall<Q, R> call, Status why) {
        call.close(why, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    /** To be called by whatever changes anything. */
    static void require(String what) {
        if (!GRANTED.get()) {
            throw Status.UNAUTHENTICATED
                    .withDescription(what + " refused: this store takes writes only from agents of its run "
                            + "(expected: a proof of the run key)")
                    .asRuntimeException();
        }
    }
}
