/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.rendezvous.store.HmacSha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a caller knows the run's key, without seeing it: a request carries HMAC-SHA-256 under the key of a
 * challenge, its method, path and body. A challenge is good once, and for a minute. Safe for use by any thread.
 */
public final class KeyGate {
    private static final int CHALLENGE_BYTES = 32;
    private static final int MAX_CHALLENGES = 1024;
    private static final long LIFE_NANOS = 60_000_000_000L;

    private final SecureRandom random = new SecureRandom();
    private final LongSupplier nanoTime;
    // Guards the map and the key together: a challenge is judged by the key that is known when it is answered.
    private final Map<String, Long> issued = new LinkedHashMap<>();
    private byte @Nullable [] key;

    public KeyGate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Sets the run's key; no request passes before. */
    public synchronized void key(byte[] runKey) {
        key = runKey.clone();
    }

    /** In hexadecimal. */
    synchronized String challenge() {
        byte[] bytes = new byte[CHALLENGE_BYTES];
        random.nextBytes(bytes);
        String challenge = HexFormat.of().formatHex(bytes);
        if (issued.size() >= MAX_CHALLENGES) {
            issued.remove(issued.keySet().iterator().next());
        }
        issued.put(challenge, nanoTime.getAsLong());
        return challenge;
    }

    /** Whether the caller knows the key; uses the challenge up. */
    synchronized boolean passes(String challenge, String proof, String method, String path, byte[] body) {
        Long issuedNanos = issued.remove(challenge);
        byte[] runKey = key;
        return issuedNanos != null
                && runKey != null
                && nanoTime.getAsLong() - issuedNanos < LIFE_NANOS
                && MessageDigest.isEqual(
                        prove(runKey, challenge, method, path, body).getBytes(StandardCharsets.US_ASCII),
                        proof.getBytes(StandardCharsets.US_ASCII));
    }

    /** What a caller has to send with the request, in hexadecimal. */
    static String prove(byte[] key, String challenge, String method, String path, byte[] body) {
        String text = challenge + "\n" + method + "\n" + path + "\n";
        return HexFormat.of().formatHex(HmacSha256.of(key, text.getBytes(StandardCharsets.UTF_8), body));
    }
}
