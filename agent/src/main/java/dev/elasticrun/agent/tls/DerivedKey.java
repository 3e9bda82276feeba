/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.sec.SECNamedCurves;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
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

    private static final int HASH_BYTES = 32;
    private static final String HMAC = "HmacSHA256";

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

    /** HKDF with SHA-256 and no salt (RFC 5869). */
    private static byte[] derive(byte[] secret, String purpose) {
        byte[] pseudorandom = hmac(new byte[HASH_BYTES], secret);
        byte[] info = purpose.getBytes(StandardCharsets.UTF_8);
        ByteBuffer derived = ByteBuffer.allocate(BYTES);
        byte[] block = {};
        for (byte number = 1; derived.hasRemaining(); number++) {
            block = hmac(pseudorandom, block, info, new byte[] {number});
            derived.put(block, 0, Math.min(block.length, derived.remaining()));
        }
        return derived.array();
    }

    private static byte[] hmac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + HMAC, e);
        }
    }
}
