/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import com.google.protobuf.ByteString;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.Proof;
import dev.elasticrun.rendezvous.store.HmacSha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Issues challenges to callers and verifies their answers: HMAC-SHA256 under the run key over the challenge, the
 * method, the node that the caller means and its request, so that a proof is valid for that call only and cannot be
 * passed on. An agent proves itself to callers, too. A challenge is valid once and for a short time, and costs no
 * memory here until a caller with the key has answered it: a flood of challenges evicts none. Safe for use by any
 * thread.
 */
public final class RunKeyProof {
    private static final int NONCE_BYTES = 16;
    private static final int MARK_BYTES = 16;
    private static final int TIME_BYTES = Long.BYTES;
    private static final int CHALLENGE_BYTES = TIME_BYTES + NONCE_BYTES + MARK_BYTES;
    private static final long LIFE_NANOS = 10_000_000_000L;

    private final SecureRandom random = new SecureRandom();
    private final byte[] own;
    private final LongSupplier nanoClock;
    // Guards the map and the key together: a challenge is judged by the key that is known when it is answered.
    private final Map<ByteString, Long> used = new LinkedHashMap<>();
    private byte @Nullable [] key;

    public RunKeyProof(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.own = nonce(random, 32).toByteArray();
    }

    public synchronized void key(byte[] runKey) {
        key = runKey.clone();
    }

    /** When it was given, something random, and a mark by which it is known again. */
    ByteString challenge() {
        ByteBuffer text = ByteBuffer.allocate(TIME_BYTES + NONCE_BYTES);
        text.putLong(nanoClock.getAsLong()).put(nonce(random, NONCE_BYTES).asReadOnlyByteBuffer());
        ByteString unmarked = ByteString.copyFrom(text.flip());
        return unmarked.concat(mark(unmarked));
    }

    private ByteString mark(ByteString unmarked) {
        return mac(own, unmarked).substring(0, MARK_BYTES);
    }

    /** What a caller sends along to be proved. */
    public static ByteString nonce(SecureRandom random) {
        return nonce(random, NONCE_BYTES);
    }

    private static ByteString nonce(SecureRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }

    /** Whether there is a key that proofs can be held against. */
    public synchronized boolean ready() {
        return key != null;
    }

    /** A challenge for a caller, with the proof of this node if it has joined. */
    public ChallengeReply greet(ByteString nonce, String nodeId) {
        ByteString challenge = challenge();
        byte[] runKey = known();
        return ChallengeReply.newBuilder()
                .setChallenge(challenge)
                .setNodeId(nodeId)
                .setMac(runKey == null ? ByteString.EMPTY : greeting(runKey, nonce, challenge, nodeId))
                .build();
    }

    private synchronized byte @Nullable [] known() {
        return key;
    }

    /** Whether the agent that greets knows the run key. */
    public static boolean isGreeting(byte[] runKey, ByteString nonce, ChallengeReply reply) {
        ByteString expected = greeting(runKey, nonce, reply.getChallenge(), reply.getNodeId());
        return MessageDigest.isEqual(expected.toByteArray(), reply.getMac().toByteArray());
    }

    /** The same, for an agent that has joined and means one node only. */
    public boolean isGreeting(ByteString nonce, ChallengeReply reply, String nodeId) {
        byte[] runKey = known();
        return runKey != null && reply.getNodeId().equals(nodeId) && isGreeting(runKey, nonce, reply);
    }

    /**
     * Whether the caller knows the run key and means this; uses the challenge up.
     *
     * @param method full name of the method that is called
     * @param nodeId of this node
     * @param request as it came
     */
    public synchronized boolean holds(Proof proof, String method, String nodeId, ByteString request) {
        byte[] runKey = key;
        ByteString challenge = proof.getChallenge();
        long now = nanoClock.getAsLong();
        if (runKey == null || !isFresh(challenge, now)) {
            return false;
        }
        ByteString expected = call(runKey, challenge, method, nodeId, request);
        if (!MessageDigest.isEqual(expected.toByteArray(), proof.getMac().toByteArray())) {
            return false;
        }
        used.values().removeIf(since -> now - since > LIFE_NANOS);
        return used.putIfAbsent(challenge, now) == null;
    }

    private boolean isFresh(ByteString challenge, long now) {
        if (challenge.size() != CHALLENGE_BYTES) {
            return false;
        }
        ByteString unmarked = challenge.substring(0, CHALLENGE_BYTES - MARK_BYTES);
        boolean ours = MessageDigest.isEqual(
                mark(unmarked).toByteArray(),
                challenge.substring(CHALLENGE_BYTES - MARK_BYTES).toByteArray());
        return ours && now - unmarked.asReadOnlyByteBuffer().getLong() < LIFE_NANOS;
    }

    /** The answer to another agent's challenge. */
    public Proof answer(ByteString challenge, String method, String nodeId, ByteString request) {
        byte[] runKey = known();
        if (runKey == null) {
            throw new IllegalStateException("cannot answer a challenge before the run is joined");
        }
        return answer(runKey, challenge, method, nodeId, request);
    }

    /** The same, for a caller that issues no challenges of its own. */
    public static Proof answer(byte[] runKey, ByteString challenge, String method, String nodeId, ByteString request) {
        return Proof.newBuilder()
                .setChallenge(challenge)
                .setMac(call(runKey, challenge, method, nodeId, request))
                .build();
    }

    private static ByteString greeting(byte[] runKey, ByteString nonce, ByteString challenge, String nodeId) {
        return mac(runKey, ByteString.copyFromUtf8("server"), nonce, challenge, ByteString.copyFromUtf8(nodeId));
    }

    private static ByteString call(
            byte[] runKey, ByteString challenge, String method, String nodeId, ByteString request) {
        return mac(
                runKey,
                ByteString.copyFromUtf8("caller"),
                challenge,
                ByteString.copyFromUtf8(method),
                ByteString.copyFromUtf8(nodeId),
                request);
    }

    private static ByteString mac(byte[] secret, ByteString... parts) {
        byte[][] written = new byte[2 * parts.length][];
        for (int i = 0; i < parts.length; i++) {
            written[2 * i] =
                    ByteBuffer.allocate(Integer.BYTES).putInt(parts[i].size()).array();
            written[2 * i + 1] = parts[i].toByteArray();
        }
        return ByteString.copyFrom(HmacSha256.of(secret, written));
    }
}
