/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.NettySslContextServerCredentials;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS for gRPC. */
final class TlsContexts {
    private TlsContexts() {}

    /** Callers must show a certificate. */
    static ServerCredentials server(KeyManager keys, TrustManager trust) {
        return NettySslContextServerCredentials.create(new H2Context(false, keys, trust));
    }

    /** @param keys null = nothing is shown */
    static ChannelCredentials client(@Nullable KeyManager keys, TrustManager trust) {
        return NettySslContextChannelCredentials.create(new H2Context(true, keys, trust));
    }
}
