/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Authenticates one call to an embedded store: it proves that the caller has the secret and sends this request, once,
 * to the store that issued the nonce. A copy of it is of no other use to a recipient or an eavesdropper. The store
 * proves itself before.
 *
 * @param nonce of the caller's session, as the store gave it
 * @param counter never the same twice in a session
 * @param mac over both, the method and the request, under the secret
 */
public record CallProof(String nonce, long counter, String mac) {
    private static final String STORE = "store\n";
    private static final Pattern FORM = Pattern.compile("([0-9a-f]{16,128})\\.([0-9]{1,18})\\.([0-9a-f]{64})");

    /**
     * @param method full name of the call
     * @param request as it is sent; of a stream the first one
     */
    public static CallProof of(String secret, String nonce, long counter, String method, byte[] request) {
        return new CallProof(nonce, counter, mac(secret, nonce, counter, method, request));
    }

    /**
     * The store's answer to a request for a nonce: the nonce, and the proof that the store has the secret.
     *
     * @param asking nonce of the caller
     */
    public static String greeting(String secret, String asking, String nonce) {
        return nonce + "." + HexFormat.of().formatHex(hmac(secret, STORE + asking + "\n" + nonce, new byte[0]));
    }

    /** The nonce of such an answer; empty when it is not that of a store that knows the secret. */
    public static Optional<String> nonce(String secret, String asking, String answer) {
        String nonce = answer.substring(0, Math.max(0, answer.indexOf('.')));
        byte[] expected = greeting(secret, asking, nonce).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, answer.getBytes(StandardCharsets.UTF_8))
                ? Optional.of(nonce)
                : Optional.empty();
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

    /** Whether it was made with the secret, for that call. */
    public boolean holds(String secret, String method, byte[] request) {
        byte[] expected = mac(secret, nonce, counter, method, request).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(expected, mac.getBytes(StandardCharsets.US_ASCII));
    }

    private static String mac(String secret, String nonce, long counter, String method, byte[] request) {
        String text = "call\n" + nonce + "\n" + counter + "\n" + method + "\n";
        return HexFormat.of().formatHex(hmac(secret, text, request));
    }

    private static byte[] hmac(String secret, String text, byte[] rest) {
        return HmacSha256.of(secret.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8), rest);
    }
}
