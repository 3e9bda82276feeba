/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsMaterial;
import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.NettySslContextServerCredentials;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.JdkAlpnApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's TLS for gRPC, over HTTP/2: one version, one cipher; a server demands a certificate. Netty's own builder
 * does the same, but first finds out what this JVM can do: it reads all CAs that the JVM trusts, and encrypts a key
 * with a password, which takes a fifth of a second of each start. Any thread.
 */
@SuppressWarnings("deprecation") // what Netty has for this is either deprecated or behind its builder
final class H2Context extends SslContext {
    private static final JdkAlpnApplicationProtocolNegotiator HTTP_2 = new JdkAlpnApplicationProtocolNegotiator("h2");

    private final SSLContext context;
    private final boolean isClient;

    /** Callers must show a certificate. */
    static ServerCredentials server(KeyManager keys, TrustManager trust) {
        return NettySslContextServerCredentials.create(new H2Context(false, keys, trust));
    }

    /** @param keys null = no client certificate */
    static ChannelCredentials client(@Nullable KeyManager keys, TrustManager trust) {
        return NettySslContextChannelCredentials.create(new H2Context(true, keys, trust));
    }

    private H2Context(boolean isClient, @Nullable KeyManager keys, TrustManager trust) {
        this.isClient = isClient;
        try {
            context = SSLContext.getInstance(TlsMaterial.PROTOCOL);
            // Without any, the JDK would make one from a key store of its own.
            context.init(keys == null ? new KeyManager[0] : new KeyManager[] {keys}, new TrustManager[] {trust}, null);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + TlsMaterial.PROTOCOL, e);
        }
    }

    @Override
    public boolean isClient() {
        return isClient;
    }

    @Override
    public List<String> cipherSuites() {
        return List.of(TlsMaterial.CIPHER);
    }

    @Override
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return HTTP_2;
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return narrow(context.createSSLEngine());
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
        return narrow(context.createSSLEngine(peerHost, peerPort));
    }

    private SSLEngine narrow(SSLEngine engine) {
        engine.setUseClientMode(isClient);
        engine.setNeedClientAuth(!isClient);
        engine.setEnabledProtocols(new String[] {TlsMaterial.PROTOCOL});
        engine.setEnabledCipherSuites(new String[] {TlsMaterial.CIPHER});
        return HTTP_2.wrapperFactory().wrapSslEngine(engine, HTTP_2, !isClient);
    }

    @Override
    public SSLSessionContext sessionContext() {
        return isClient ? context.getClientSessionContext() : context.getServerSessionContext();
    }
}
