/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key pair on P-256 that is a function of a secret: HKDF with SHA-256 (RFC 5869) to 48 bytes, and those modulo the
 * order of the group, as FIPS 186-5, A.2.1 makes keys of random bits. Pure.
 *
 * <p>The JDK multiplies points, in constant time, only to agree on a secret: with the generator as the other end's key
 * that is the x of our own public key. Of the two points that have it we take the one with even y.
 */
final class DerivedKey {
    private static final String MAC = "HmacSHA256";
    /** 64 bits more than the group's order has. */
    private static final int BYTES = 48;

    private static final int HASH_BYTES = 32;
    private static final BigInteger THREE = BigInteger.valueOf(3);

    private DerivedKey() {}

    static KeyPair of(byte[] secret, String purpose) {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec("secp256r1"));
            ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
            BigInteger order = curve.getOrder();
            BigInteger scalar = new BigInteger(1, derive(secret, purpose))
                    .mod(order.subtract(BigInteger.ONE))
                    .add(BigInteger.ONE);
            KeyFactory factory = KeyFactory.getInstance("EC");
            PrivateKey key = factory.generatePrivate(new ECPrivateKeySpec(scalar, curve));
            ECPoint point = evenPoint(curve, agree(key, factory, curve));
            PublicKey shown = factory.generatePublic(new ECPublicKeySpec(point, curve));
            // The other point with this x is that of the negated scalar.
            return isPair(key, shown)
                    ? new KeyPair(shown, key)
                    : new KeyPair(shown, factory.generatePrivate(new ECPrivateKeySpec(order.subtract(scalar), curve)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no keys on P-256", e);
        }
    }

    private static BigInteger agree(PrivateKey key, KeyFactory factory, ECParameterSpec curve)
            throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(key);
        agreement.doPhase(factory.generatePublic(new ECPublicKeySpec(curve.getGenerator(), curve)), true);
        return new BigInteger(1, agreement.generateSecret());
    }

    /** The prime is 3 modulo 4, so a power of a square is its root. */
    private static ECPoint evenPoint(ECParameterSpec curve, BigInteger x) {
        BigInteger prime = ((ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger square = x.modPow(THREE, prime)
                .add(curve.getCurve().getA().multiply(x))
                .add(curve.getCurve().getB())
                .mod(prime);
        BigInteger y = square.modPow(prime.add(BigInteger.ONE).shiftRight(2), prime);
        return new ECPoint(x, y.testBit(0) ? prime.subtract(y) : y);
    }

    static boolean isPair(PrivateKey key, PublicKey shown) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        return signature.verify(signed);
    }

    private static byte[] derive(byte[] secret, String purpose) throws GeneralSecurityException {
        byte[] extracted = mac(new byte[HASH_BYTES], secret);
        byte[] info = purpose.getBytes(StandardCharsets.UTF_8);
        byte[] first = mac(
                extracted,
                ByteBuffer.allocate(info.length + 1).put(info).put((byte) 1).array());
        byte[] second = mac(
                extracted,
                ByteBuffer.allocate(HASH_BYTES + info.length + 1)
                        .put(first)
                        .put(info)
                        .put((byte) 2)
                        .array());
        return ByteBuffer.allocate(BYTES)
                .put(first)
                .put(Arrays.copyOf(second, BYTES - HASH_BYTES))
                .array();
    }

    private static byte[] mac(byte[] key, byte[] text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(MAC);
        mac.init(new SecretKeySpec(key, MAC));
        return mac.doFinal(text);
    }
}
