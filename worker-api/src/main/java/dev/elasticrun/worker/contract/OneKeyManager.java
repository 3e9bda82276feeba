/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents one certificate to every peer, whatever it requests: there is no other. Before it is bound it presents none.
 * Any thread.
 */
final class OneKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "own";

    private volatile @Nullable TlsMaterial own;

    void bind(TlsMaterial material) {
        own = material;
    }

    // TLS 1.3 requests certificates by key type: EC, RSA, RSASSA-PSS, EdDSA.
    private @Nullable String alias(String @Nullable [] keyTypes) {
        TlsMaterial known = own;
        if (known == null || keyTypes == null) {
            return null;
        }
        String algorithm = known.chain().get(0).getPublicKey().getAlgorithm();
        return Arrays.stream(keyTypes).anyMatch(algorithm::equalsIgnoreCase) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String @Nullable [] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            @Nullable String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return keyType == null ? null : alias(new String[] {keyType});
    }

    @Override
    public @Nullable String chooseClientAlias(
            String @Nullable [] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseServerAlias(
            @Nullable String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return keyType == null ? null : alias(new String[] {keyType});
    }

    @Override
    public String @Nullable [] getClientAliases(@Nullable String keyType, Principal @Nullable [] issuers) {
        return own == null ? null : new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(@Nullable String keyType, Principal @Nullable [] issuers) {
        return own == null ? null : new String[] {ALIAS};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
        TlsMaterial known = own;
        return known == null ? null : known.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
        TlsMaterial known = own;
        return known == null ? null : known.key();
    }
}
