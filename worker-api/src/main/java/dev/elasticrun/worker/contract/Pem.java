/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One entry of a PEM file (RFC 7468). Pure. */
record Pem(String kind, byte[] content) {
    static final String CERTIFICATE = "CERTIFICATE";
    static final String PRIVATE_KEY = "PRIVATE KEY";

    private static final Pattern ENTRY =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /** What is between entries is a comment. */
    static List<Pem> parse(String text) {
        List<Pem> found = new ArrayList<>();
        Matcher matcher = ENTRY.matcher(text);
        while (matcher.find()) {
            try {
                found.add(new Pem(matcher.group(1), Base64.getMimeDecoder().decode(matcher.group(2))));
            } catch (IllegalArgumentException e) {
                found.add(new Pem("damaged " + matcher.group(1), new byte[0]));
            }
        }
        return found;
    }

    String text() {
        return "-----BEGIN " + kind + "-----\n" + LINES.encodeToString(content) + "\n-----END " + kind + "-----\n";
    }

    static List<X509Certificate> certificates(List<Pem> entries) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Pem entry : entries) {
                certificates.add(
                        (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(entry.content)));
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("not a certificate (" + e.getMessage() + ")", e);
        }
        return certificates;
    }
}
