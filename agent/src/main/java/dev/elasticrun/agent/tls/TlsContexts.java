/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsMaterial;
import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.NettySslContextServerCredentials;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS for gRPC, by the JDK's engine: one version, one cipher. */
final class TlsContexts {
    private TlsContexts() {}

    /** Callers must show a certificate. */
    static ServerCredentials server(KeyManager keys, TrustManager trust) {
        try {
            return NettySslContextServerCredentials.create(narrow(SslContextBuilder.forServer(keys))
                    .trustManager(trust)
                    .clientAuth(ClientAuth.REQUIRE)
                    .build());
        } catch (SSLException e) {
            throw new IllegalStateException("this JVM has no " + TlsMaterial.PROTOCOL, e);
        }
    }

    /** @param keys null = nothing is shown */
    static ChannelCredentials client(@Nullable KeyManager keys, TrustManager trust) {
        SslContextBuilder builder = narrow(SslContextBuilder.forClient()).trustManager(trust);
        try {
            return NettySslContextChannelCredentials.create(
                    keys == null ? builder.build() : builder.keyManager(keys).build());
        } catch (SSLException e) {
            throw new IllegalStateException("this JVM has no " + TlsMaterial.PROTOCOL, e);
        }
    }

    private static SslContextBuilder narrow(SslContextBuilder builder) {
        return GrpcSslContexts.configure(builder, SslProvider.JDK)
                .protocols(TlsMaterial.PROTOCOL)
                .ciphers(List.of(TlsMaterial.CIPHER));
    }
}
