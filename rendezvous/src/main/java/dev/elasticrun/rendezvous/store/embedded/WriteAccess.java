/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Who may write. Reads are open: the server listens on the loopback interface, or its network reads what it likes. */
final class WriteAccess implements ServerInterceptor {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Boolean> GRANTED = Context.keyWithDefault("write-access", Boolean.FALSE);

    private final byte @Nullable [] token;

    WriteAccess(@Nullable String token) {
        this.token = token == null ? null : token.getBytes(UTF_8);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String given = headers.get(TOKEN);
        boolean granted = token == null || (given != null && MessageDigest.isEqual(token, given.getBytes(UTF_8)));
        return Contexts.interceptCall(Context.current().withValue(GRANTED, granted), call, headers, next);
    }

    /** To be called by whatever changes anything. */
    static void require(String what) {
        if (!GRANTED.get()) {
            throw Status.UNAUTHENTICATED
                    .withDescription(what + " refused: this store takes writes only from agents of its run "
                            + "(expected: metadata \"token\" derived from the run key)")
                    .asRuntimeException();
        }
    }
}
