/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import dev.elasticrun.worker.contract.CertificateText;
import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;

/** User-supplied certificates: read, and tested before a peer uses them. */
public final class GivenTls {
    private GivenTls() {}

    /** @throws IOException naming the file first, and what was expected of it */
    public static TlsMaterial read(TlsFiles files) throws IOException {
        TlsMaterial material = files.read();
        requirePair(files, material);
        requireValid(files.certificate(), material.chain().get(0));
        try {
            material.trustManager().checkClientTrusted(material.chain().toArray(new X509Certificate[0]), "UNKNOWN");
        } catch (CertificateException e) {
            throw new IOException(
                    files.certificate() + " ("
                            + CertificateText.name(material.chain().get(0)) + ", issued by "
                            + material.chain()
                                    .get(material.chain().size() - 1)
                                    .getIssuerX500Principal()
                                    .getName()
                            + ") (expected: a certificate for servers and clients that the authorities in "
                            + files.authorities() + " vouch for, " + CertificateText.names(material.authorities())
                            + "; "
                            + reason(e) + ")",
                    e);
        }
        return material;
    }

    private static String reason(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }

    static void requireValid(Path file, X509Certificate certificate) throws IOException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw new IOException(
                    file + " (" + CertificateText.name(certificate) + ") ended at "
                            + certificate.getNotAfter().toInstant() + " (expected: a certificate that is valid now)",
                    e);
        } catch (CertificateNotYetValidException e) {
            throw new IOException(
                    file + " (" + CertificateText.name(certificate) + ") begins at "
                            + certificate.getNotBefore().toInstant() + " (expected: a certificate that is valid now)",
                    e);
        }
    }

    private static void requirePair(TlsFiles files, TlsMaterial material) throws IOException {
        try {
            Signature signature = Signature.getInstance(
                    switch (material.key().getAlgorithm()) {
                        case "EC" -> "SHA256withECDSA";
                        case "RSA" -> "SHA256withRSA";
                        default -> material.key().getAlgorithm();
                    });
            signature.initSign(material.key());
            byte[] signed = signature.sign();
            signature.initVerify(material.chain().get(0).getPublicKey());
            if (signature.verify(signed)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(files.key() + " (expected: a key that can sign; " + e.getMessage() + ")", e);
        }
        throw new IOException(files.key() + " (expected: the key of the certificate in " + files.certificate() + ", "
                + CertificateText.name(material.chain().get(0)) + ")");
    }
}
