/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What one end of TLS connections shows, and whose word it takes. Both ends show a certificate; the names in it are not
 * compared with the address.
 *
 * @param key of the first certificate
 * @param chain own certificate, then those that lead to an authority, if there are any
 * @param authorities one or more
 */
public record TlsMaterial(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities) {
    /** The only one that is spoken. */
    public static final String PROTOCOL = "TLSv1.3";
    /** The fastest where processors know AES; the JDK has it on all platforms. */
    public static final String CIPHER = "TLS_AES_128_GCM_SHA256";

    public TlsMaterial {
        chain = List.copyOf(chain);
        authorities = List.copyOf(authorities);
    }

    static TlsMaterial of(List<X509Certificate> chain, Pem key, Path file, List<X509Certificate> authorities)
            throws IOException {
        String algorithm = chain.get(0).getPublicKey().getAlgorithm();
        try {
            PrivateKey secret =
                    KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key.content()));
            return new TlsMaterial(secret, chain, authorities);
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    file + ": not a key of the algorithm " + algorithm + ", which the certificate names", e);
        }
    }

    /** Shows the certificate. */
    public X509ExtendedKeyManager keyManager() {
        OneKeyManager keys = new OneKeyManager();
        keys.bind(this);
        return keys;
    }

    /** Refuses certificates that no authority has issued, and those that are not valid now. */
    public X509ExtendedTrustManager trustManager() {
        return trust(authorities, false);
    }

    /**
     * The same for authorities that also issue other certificates: also refuses a server whose name is not the one that
     * was called.
     */
    public static X509ExtendedTrustManager namedTrust(List<X509Certificate> authorities) {
        return trust(authorities, true);
    }

    private static X509ExtendedTrustManager trust(List<X509Certificate> authorities, boolean comparesNames) {
        DiagnosticTrustManager trust = new DiagnosticTrustManager(comparesNames);
        trust.bind(authorities);
        return trust;
    }

    /** For sockets between workers. */
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(new KeyManager[] {keyManager()}, new TrustManager[] {trustManager()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + PROTOCOL, e);
        }
    }

    /** In PEM, as {@link TlsFiles#read} takes it. */
    public byte[] keyPem() {
        return new Pem(Pem.PRIVATE_KEY, key.getEncoded()).text().getBytes(StandardCharsets.US_ASCII);
    }

    public byte[] chainPem() {
        return pem(chain);
    }

    public byte[] authoritiesPem() {
        return pem(authorities);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "TlsMaterial[" + chain.get(0).getSubjectX500Principal() + "]";
    }

    private static byte[] pem(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            try {
                text.append(new Pem(Pem.CERTIFICATE, certificate.getEncoded()).text());
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a certificate that was read cannot be written", e);
            }
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
