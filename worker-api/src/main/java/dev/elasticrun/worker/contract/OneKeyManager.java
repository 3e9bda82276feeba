/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Shows one certificate to everybody, whatever it asks for: there is no other. Any thread. */
final class OneKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "own";

    private final PrivateKey key;
    private final List<X509Certificate> chain;

    OneKeyManager(PrivateKey key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = chain;
    }

    /** The names that TLS 1.3 asks by are those of keys: EC, RSA, RSASSA-PSS, EdDSA. */
    private @Nullable String alias(String @Nullable [] keyTypes) {
        String own = chain.get(0).getPublicKey().getAlgorithm();
        for (String type : keyTypes == null ? new String[0] : keyTypes) {
            if (type.equalsIgnoreCase(own)) {
                return ALIAS;
            }
        }
        return null;
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
        return new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(@Nullable String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(@Nullable String alias) {
        return chain.toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(@Nullable String alias) {
        return key;
    }
}
