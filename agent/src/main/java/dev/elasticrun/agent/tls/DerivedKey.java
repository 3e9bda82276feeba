/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import org.bouncycastle.asn1.sec.SECNamedCurves;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/**
 * A key pair on P-256 that is a function of a secret: HKDF with SHA-256 (RFC 5869) to 48 bytes, and those modulo the
 * order of the group, as FIPS 186-5, A.2.1 makes keys of random bits. Pure.
 */
final class DerivedKey {
    /** 64 bits more than the group's order has. */
    private static final int BYTES = 48;

    private DerivedKey() {}

    static KeyPair of(byte[] secret, String purpose) {
        ECNamedDomainParameters curve = new ECNamedDomainParameters(
                SECObjectIdentifiers.secp256r1, SECNamedCurves.getByOID(SECObjectIdentifiers.secp256r1));
        BigInteger scalar = new BigInteger(1, derive(secret, purpose))
                .mod(curve.getN().subtract(BigInteger.ONE))
                .add(BigInteger.ONE);
        ECPrivateKeyParameters key = new ECPrivateKeyParameters(scalar, curve);
        ECPublicKeyParameters shown =
                new ECPublicKeyParameters(new FixedPointCombMultiplier().multiply(curve.getG(), scalar), curve);
        try {
            KeyFactory factory = KeyFactory.getInstance("EC");
            return new KeyPair(
                    factory.generatePublic(
                            new X509EncodedKeySpec(SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(shown)
                                    .getEncoded())),
                    factory.generatePrivate(new PKCS8EncodedKeySpec(
                            PrivateKeyInfoFactory.createPrivateKeyInfo(key).getEncoded())));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM has no keys on P-256", e);
        }
    }

    private static byte[] derive(byte[] secret, String purpose) {
        HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
        generator.init(new HKDFParameters(secret, null, purpose.getBytes(StandardCharsets.UTF_8)));
        byte[] derived = new byte[BYTES];
        generator.generateBytes(derived, 0, BYTES);
        return derived;
    }
}
