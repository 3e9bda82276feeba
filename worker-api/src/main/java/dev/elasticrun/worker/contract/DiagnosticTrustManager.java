/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Validates certificates against given authorities as the JDK does (PKIX); a refusal names the peer that presented the
 * certificate and what was expected. A certificate that was accepted once is later only checked for its validity
 * period: workers of a node present the same one, in every round. Before authorities are bound no certificate is
 * accepted. Any thread.
 */
final class DiagnosticTrustManager extends X509ExtendedTrustManager {
    private static final String UNKNOWN = "the other end";
    /** More than nodes of a run; beyond it certificates are validated each time. */
    private static final int MAX_BELIEVED = 4096;

    private final boolean comparesNames;
    private volatile @Nullable Judgement bound;

    /** The certificates that were accepted under these authorities. */
    private record Judgement(List<X509Certificate> authorities, X509ExtendedTrustManager judge, Set<Shown> believed) {
        boolean isBelieved(Shown shown) {
            return believed.contains(shown) && shown.isValidNow();
        }

        void believe(Shown shown) {
            if (believed.size() < MAX_BELIEVED) {
                believed.add(shown);
            }
        }

        CertificateException refusal(String whose, X509Certificate[] chain, CertificateException cause) {
            return new CertificateException(CertificateText.refusal(whose, chain[0], authorities, cause), cause);
        }
    }

    /** What was shown, and what for. */
    private record Shown(boolean byServer, String authType, List<X509Certificate> chain) {
        boolean isValidNow() {
            try {
                for (X509Certificate each : chain) {
                    each.checkValidity();
                }
                return true;
            } catch (CertificateException e) {
                return false;
            }
        }
    }

    /**
     * @param comparesNames whether a server must have the name that was called, if the caller's engine or socket requires that
     */
    DiagnosticTrustManager(boolean comparesNames) {
        this.comparesNames = comparesNames;
    }

    void bind(List<X509Certificate> authorities) {
        bound = new Judgement(authorities, judge(authorities), ConcurrentHashMap.newKeySet());
    }

    private Judgement judgement() throws CertificateException {
        Judgement known = bound;
        if (known == null) {
            throw new CertificateException("this node does not know its run yet");
        }
        return known;
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
        Judgement known = judgement();
        Shown shown = new Shown(false, authType, List.of(chain));
        if (known.isBelieved(shown)) {
            return;
        }
        try {
            known.judge().checkClientTrusted(chain, authType);
            known.believe(shown);
        } catch (CertificateException e) {
            throw known.refusal("a caller", chain, e);
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
        String whose = socket == null ? UNKNOWN : String.valueOf(socket.getRemoteSocketAddress());
        checkServer(whose, chain, authType);
        if (comparesNames) {
            try {
                judgement().judge().checkServerTrusted(chain, authType, socket);
            } catch (CertificateException e) {
                throw otherHost(whose, chain, e);
            }
        }
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
                judgement().judge().checkServerTrusted(chain, authType, engine);
            } catch (CertificateException e) {
                throw otherHost(whose, chain, e);
            }
        }
    }

    private static CertificateException otherHost(String whose, X509Certificate[] chain, CertificateException cause) {
        return new CertificateException(
                "the certificate of " + whose + " (" + CertificateText.name(chain[0])
                        + ") is for another host (expected: one with that name or address; " + cause.getMessage() + ")",
                cause);
    }

    private static String address(SSLEngine engine) {
        String host = engine.getPeerHost();
        return host == null ? UNKNOWN : host + ":" + engine.getPeerPort();
    }

    private void checkServer(String whose, X509Certificate[] chain, String authType) throws CertificateException {
        Judgement known = judgement();
        Shown shown = new Shown(true, authType, List.of(chain));
        if (known.isBelieved(shown)) {
            return;
        }
        try {
            known.judge().checkServerTrusted(chain, authType);
            known.believe(shown);
        } catch (CertificateException e) {
            throw known.refusal(whose, chain, e);
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        Judgement known = bound;
        return known == null ? new X509Certificate[0] : known.judge().getAcceptedIssuers();
    }
}
