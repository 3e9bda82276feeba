/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats certificates as text. Pure. */
public final class CertificateText {
    private CertificateText() {}

    /** Why a certificate was refused, and what would have been taken. */
    static String refusal(
            String whose, X509Certificate shown, List<X509Certificate> authorities, @Nullable Throwable cause) {
        String facts = "the certificate of " + whose + " (" + name(shown) + ", issued by "
                + shown.getIssuerX500Principal().getName() + ")";
        String reason = "";
        for (Throwable each = cause; each != null; each = each.getCause()) {
            reason = "; " + each.getMessage();
            if (each instanceof CertificateExpiredException) {
                return facts + " ended at " + shown.getNotAfter().toInstant() + " (expected: one that is valid now)";
            } else if (each instanceof CertificateNotYetValidException) {
                return facts + " begins at " + shown.getNotBefore().toInstant() + " (expected: one that is valid now)";
            }
        }
        return facts + " is not vouched for (expected: one issued by " + names(authorities) + reason + ")";
    }

    /** Name of the subject. */
    public static String name(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }

    /** Names of the subjects. */
    public static String names(List<X509Certificate> certificates) {
        return certificates.stream().map(CertificateText::name).collect(Collectors.joining(" or "));
    }
}
