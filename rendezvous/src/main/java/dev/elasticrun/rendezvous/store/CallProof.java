/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a caller of an embedded store sends with each call: that it knows the secret, for this method, once. Who hears it
 * can do nothing with it.
 *
 * @param nonce of the caller's session, as the store gave it
 * @param counter never the same twice in a session
 * @param mac over both and the method, under the secret
 */
public record CallProof(String nonce, long counter, String mac) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Pattern FORM = Pattern.compile("([0-9a-f]{16,128})\\.([0-9]{1,18})\\.([0-9a-f]{64})");

    /** @param method full name of the call */
    public static CallProof of(String secret, String nonce, long counter, String method) {
        return new CallProof(nonce, counter, mac(secret, nonce, counter, method));
    }

    /** Of metadata; empty when it is something else. */
    public static Optional<CallProof> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new CallProof(matcher.group(1), Long.parseLong(matcher.group(2)), matcher.group(3)))
                : Optional.empty();
    }

    /** As metadata. */
    public String text() {
        return nonce + "." + counter + "." + mac;
    }

    /** Whether it was made by who knows the secret, for that method. */
    public boolean holds(String secret, String method) {
        byte[] expected = mac(secret, nonce, counter, method).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(expected, mac.getBytes(StandardCharsets.US_ASCII));
    }

    private static String mac(String secret, String nonce, long counter, String method) {
        return HexFormat.of().formatHex(hmac(secret, "call\n" + nonce + "\n" + counter + "\n" + method));
    }

    /** HMAC-SHA256 of a text under a secret. */
    public static byte[] hmac(String secret, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
        }
    }
}
