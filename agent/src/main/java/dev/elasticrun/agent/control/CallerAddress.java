/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Lets a service know where a call comes from. */
final class CallerAddress implements ServerInterceptor {
    private static final Context.Key<SocketAddress> ADDRESS = Context.key("caller-address");

    /** Of the call that is being handled by this thread; empty when it is not known. */
    static String current() {
        SocketAddress address = ADDRESS.get();
        return address == null ? "" : address.toString();
    }

    /** The same; null when it is not known. */
    static @Nullable SocketAddress socket() {
        return ADDRESS.get();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        return Contexts.interceptCall(Context.current().withValue(ADDRESS, address), call, headers, next);
    }
}
