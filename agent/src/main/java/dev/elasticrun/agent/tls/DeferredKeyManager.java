/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.TlsMaterial;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** What is shown and believed from some moment on; before it nothing is shown and nobody believed. Any thread. */
final class DeferredKeyManager {
    private volatile @Nullable Bound bound;

    private record Bound(TlsMaterial material, X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {}

    void bind(TlsMaterial material) {
        bound = new Bound(material, material.keyManager(), material.trustManager());
    }

    TlsMaterial get() {
        Bound known = bound;
        if (known == null) {
            throw new IllegalStateException("cannot show a certificate before the run key is known");
        }
        return known.material();
    }

    X509ExtendedKeyManager keys() {
        return new Keys();
    }

    X509ExtendedTrustManager trust() {
        return new Trust();
    }

    private final class Keys extends X509ExtendedKeyManager {
        @Override
        public @Nullable String chooseEngineClientAlias(
                String @Nullable [] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            Bound known = bound;
            return known == null ? null : known.keys().chooseEngineClientAlias(keyTypes, issuers, engine);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                @Nullable String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            Bound known = bound;
            return known == null ? null : known.keys().chooseEngineServerAlias(keyType, issuers, engine);
        }

        @Override
        public @Nullable String chooseClientAlias(
                String @Nullable [] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return chooseEngineClientAlias(keyTypes, issuers, null);
        }

        @Override
        public @Nullable String chooseServerAlias(
                @Nullable String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return chooseEngineServerAlias(keyType, issuers, null);
        }

        @Override
        public String @Nullable [] getClientAliases(@Nullable String keyType, Principal @Nullable [] issuers) {
            Bound known = bound;
            return known == null ? null : known.keys().getClientAliases(keyType, issuers);
        }

        @Override
        public String @Nullable [] getServerAliases(@Nullable String keyType, Principal @Nullable [] issuers) {
            Bound known = bound;
            return known == null ? null : known.keys().getServerAliases(keyType, issuers);
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
            Bound known = bound;
            return known == null ? null : known.keys().getCertificateChain(alias);
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
            Bound known = bound;
            return known == null ? null : known.keys().getPrivateKey(alias);
        }
    }

    private final class Trust extends X509ExtendedTrustManager {
        private X509ExtendedTrustManager judge() throws CertificateException {
            Bound known = bound;
            if (known == null) {
                throw new CertificateException("this node does not know its run yet");
            }
            return known.trust();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            judge().checkClientTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            judge().checkServerTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
                throws CertificateException {
            judge().checkServerTrusted(chain, authType, engine);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            Bound known = bound;
            return known == null ? new X509Certificate[0] : known.trust().getAcceptedIssuers();
        }
    }
}
