/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's judgement (PKIX) of certificates against given authorities, with a refusal that says whose certificate it was
 * and what was expected. Any thread.
 */
final class NamingTrustManager extends X509ExtendedTrustManager {
    private static final String UNKNOWN = "the other end";

    private final List<X509Certificate> authorities;
    private final boolean comparesNames;
    private final X509ExtendedTrustManager judge;

    /** @param comparesNames whether a server must have the name that was called, where the caller's engine asks for that */
    NamingTrustManager(List<X509Certificate> authorities, boolean comparesNames) {
        this.authorities = authorities;
        this.comparesNames = comparesNames;
        this.judge = judge(authorities);
    }

    private static X509ExtendedTrustManager judge(List<X509Certificate> authorities) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            for (TrustManager each : factory.getTrustManagers()) {
                if (each instanceof X509ExtendedTrustManager found) {
                    return found;
                }
            }
            throw new IllegalStateException("PKIX has no judgement of X.509");
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM cannot hold certificates in memory", e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        try {
            judge.checkClientTrusted(chain, authType);
        } catch (CertificateException e) {
            throw refusal("a caller", chain, e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        checkServer(UNKNOWN, chain, authType);
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
        String whose = engine == null ? UNKNOWN : address(engine);
        checkServer(whose, chain, authType);
        if (comparesNames) {
            try {
                judge.checkServerTrusted(chain, authType, engine);
            } catch (CertificateException e) {
                throw new CertificateException(
                        "the certificate of " + whose + " (" + CertificateText.name(chain[0])
                                + ") is for another host (expected: one with that name or address; " + e.getMessage()
                                + ")",
                        e);
            }
        }
    }

    private static String address(SSLEngine engine) {
        String host = engine.getPeerHost();
        return host == null ? UNKNOWN : host + ":" + engine.getPeerPort();
    }

    private void checkServer(String whose, X509Certificate[] chain, String authType) throws CertificateException {
        try {
            judge.checkServerTrusted(chain, authType);
        } catch (CertificateException e) {
            throw refusal(whose, chain, e);
        }
    }

    private CertificateException refusal(String whose, X509Certificate[] chain, CertificateException cause) {
        return new CertificateException(CertificateText.refusal(whose, chain[0], authorities, cause), cause);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return judge.getAcceptedIssuers();
    }
}
