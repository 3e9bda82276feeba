/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import dev.elasticrun.proto.Proof;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Challenges given to callers, and their answers: HMAC-SHA256 under the run key of the challenge and the method that is
 * called. A challenge is good once and for a short time. Safe for use by any thread.
 */
final class RunKeyProof {
    private static final int CHALLENGE_BYTES = 32;
    private static final int MAX_CHALLENGES = 4096;
    private static final long LIFE_NANOS = 10_000_000_000L;

    private final SecureRandom random = new SecureRandom();
    private final LongSupplier nanoClock;
    // Guards the map and the key together: a challenge is judged by the key that is known when it is answered.
    private final Map<ByteString, Long> issued = new LinkedHashMap<>();
    private byte @Nullable [] key;

    RunKeyProof(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    synchronized void key(byte[] runKey) {
        key = runKey.clone();
    }

    synchronized ByteString challenge() {
        byte[] bytes = new byte[CHALLENGE_BYTES];
        random.nextBytes(bytes);
        ByteString challenge = ByteString.copyFrom(bytes);
        if (issued.size() >= MAX_CHALLENGES) {
            issued.remove(issued.keySet().iterator().next());
        }
        issued.put(challenge, nanoClock.getAsLong());
        return challenge;
    }

    /** Whether there is a key that proofs can be held against. */
    synchronized boolean ready() {
        return key != null;
    }

    /**
     * Whether the caller knows the run key; uses the challenge up.
     *
     * @param method full name of the method that is called
     */
    synchronized boolean holds(Proof proof, String method) {
        Long issuedNanos = issued.remove(proof.getChallenge());
        byte[] runKey = key;
        return issuedNanos != null
                && runKey != null
                && nanoClock.getAsLong() - issuedNanos < LIFE_NANOS
                && MessageDigest.isEqual(
                        mac(runKey, proof.getChallenge(), method),
                        proof.getMac().toByteArray());
    }

    /** The answer to somebody else's challenge. */
    synchronized Proof answer(ByteString challenge, String method) {
        byte[] runKey = key;
        if (runKey == null) {
            throw new IllegalStateException("cannot answer a challenge before the run is joined");
        }
        return answer(runKey, challenge, method);
    }

    /** As {@link #answer(ByteString, String)}, for who has no challenges of his own to give. */
    static Proof answer(byte[] runKey, ByteString challenge, String method) {
        return Proof.newBuilder()
                .setChallenge(challenge)
                .setMac(ByteString.copyFrom(mac(runKey, challenge, method)))
                .build();
    }

    private static byte[] mac(byte[] runKey, ByteString challenge, String method) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(runKey, "HmacSHA256"));
            mac.update(challenge.toByteArray());
            return mac.doFinal(method.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no HmacSHA256", e);
        }
    }
}
