/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes X.509 certificates (RFC 5280) that a CA signs by ECDSA with SHA-256. The JDK reads them but makes none. */
final class CertificateMaker {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SERIAL_BITS = 127;

    private final X500Name authority;
    private final KeyPair keys;

    /**
     * @param authority the issuer's name
     * @param keys the issuer's, on P-256
     */
    CertificateMaker(String authority, KeyPair keys) {
        this.authority = name(authority);
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
        try {
            return sign(begin(authority, keys.getPublic(), Validity.ALWAYS)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign)));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("cannot make the certificate of " + authority, e);
        }
    }

    /**
     * One for both ends of connections.
     *
     * @param hosts names and IPv4 addresses
     */
    X509Certificate leaf(String subject, PublicKey subjectKey, List<String> hosts, Validity validity) {
        GeneralName[] names = hosts.stream()
                .map(host -> new GeneralName(
                        IPV4.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new);
        KeyPurposeId[] purposes = {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
        try {
            return sign(begin(name(subject), subjectKey, validity)
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes))
                    .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names)));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("cannot make the certificate of " + subject, e);
        }
    }

    private X509v3CertificateBuilder begin(X500Name subject, PublicKey subjectKey, Validity validity)
            throws GeneralSecurityException, IOException {
        JcaX509ExtensionUtils marks = new JcaX509ExtensionUtils();
        return new JcaX509v3CertificateBuilder(
                        authority,
                        new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1),
                        Date.from(validity.from()),
                        Date.from(validity.until()),
                        subject,
                        subjectKey)
                .addExtension(Extension.subjectKeyIdentifier, false, marks.createSubjectKeyIdentifier(subjectKey))
                .addExtension(
                        Extension.authorityKeyIdentifier, false, marks.createAuthorityKeyIdentifier(keys.getPublic()));
    }

    private X509Certificate sign(X509v3CertificateBuilder certificate)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(
                        certificate.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    }

    private static X500Name name(String name) {
        return new X500NameBuilder().addRDN(BCStyle.CN, name).build();
    }
}
