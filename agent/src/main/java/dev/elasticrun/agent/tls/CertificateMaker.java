/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Makes X.509 certificates (RFC 5280) that an authority signs by ECDSA with SHA-256. The JDK reads them but makes none. */
final class CertificateMaker {
    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SUBJECT_KEY = "2.5.29.14";
    private static final String AUTHORITY_KEY = "2.5.29.35";
    private static final int MARK_BYTES = 20;
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final String SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String authority;
    private final KeyPair keys;

    /**
     * @param authority the issuer's name
     * @param keys the issuer's, on P-256
     */
    CertificateMaker(String authority, KeyPair keys) {
        this.authority = authority;
        this.keys = keys;
    }

    /** When a certificate is valid. */
    record Validity(Instant from, Instant until) {
        /** RFC 5280, 4.1.2.5: no good end. What ends with a run is not compared with clocks, which differ. */
        static final Validity ALWAYS =
                new Validity(Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("9999-12-31T23:59:59Z"));
    }

    /** The issuer's own. */
    X509Certificate authority() {
        return make(
                authority,
                keys.getPublic(),
                Validity.ALWAYS,
                extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.yes())),
                // Signs certificates: bit 5.
                extension(KEY_USAGE, true, Der.bits(2, new byte[] {0x04})));
    }

    /**
     * One for both ends of connections.
     *
     * @param hosts names and IPv4 addresses
     */
    X509Certificate leaf(String subject, PublicKey subjectKey, List<String> hosts, Validity validity) {
        List<byte[]> names = new ArrayList<>();
        for (String host : hosts) {
            names.add(
                    IPV4.matcher(host).matches()
                            ? Der.implicit(IP_ADDRESS, ipv4(host))
                            : Der.implicit(DNS_NAME, host.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
        }
        return make(
                subject,
                subjectKey,
                validity,
                // Signs handshakes: bit 0.
                extension(KEY_USAGE, true, Der.bits(7, new byte[] {(byte) 0x80})),
                extension(EXTENDED_KEY_USAGE, false, Der.sequence(Der.oid(SERVER), Der.oid(CLIENT))),
                extension(ALTERNATIVE_NAMES, false, Der.sequence(names.toArray(new byte[0][]))));
    }

    private X509Certificate make(String subject, PublicKey subjectKey, Validity validity, byte[]... extensions) {
        List<byte[]> all = new ArrayList<>(List.of(extensions));
        all.add(extension(SUBJECT_KEY, false, Der.octets(mark(subjectKey))));
        all.add(extension(AUTHORITY_KEY, false, Der.sequence(Der.implicit(0, mark(keys.getPublic())))));
        byte[] content = Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(127, RANDOM).setBit(126)),
                ECDSA_SHA256,
                name(authority),
                Der.sequence(Der.time(validity.from()), Der.time(validity.until())),
                name(subject),
                subjectKey.getEncoded(),
                Der.explicit(3, Der.sequence(all.toArray(new byte[0][]))));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            byte[] certificate = Der.sequence(content, ECDSA_SHA256, Der.bits(0, signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot make the certificate of " + subject, e);
        }
    }

    /** By which strict readers find the issuer's key (RFC 7093, 2). */
    private static byte[] mark(PublicKey key) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()), MARK_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no SHA-256", e);
        }
    }

    private static byte[] name(String name) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.text(name))));
    }

    private static byte[] extension(String oid, boolean isCritical, byte[] content) {
        return isCritical
                ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(content))
                : Der.sequence(Der.oid(oid), Der.octets(content));
    }

    private static byte[] ipv4(String text) {
        byte[] address = new byte[4];
        String[] parts = text.split("\\.", -1);
        for (int i = 0; i < address.length; i++) {
            address[i] = (byte) Integer.parseInt(parts[i]);
        }
        return address;
    }
}
