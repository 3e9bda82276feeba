/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import dev.elasticrun.rendezvous.store.HmacSha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Proves that what is in the store is from somebody who has the pool's key. Of orders: whoever can write to the store could otherwise
 * have agents run any program. Of agents: one that could not check its orders would be given a trial, and never begin it. Both are
 * about one agent of one pool.
 */
public final class PoolProof {
    private static final int BYTES = 32;

    private final byte[] key;
    private final String pool;

    public PoolProof(byte[] key, String pool) {
        this.key = key.clone();
        this.pool = pool;
    }

    /** What a record is about: the one cannot stand for the other. */
    public enum Kind {
        AGENT,
        ORDER
    }

    /** The proof, and the record after it. */
    public byte[] prove(Kind kind, String agent, byte[] content) {
        byte[] proved = new byte[BYTES + content.length];
        System.arraycopy(proof(kind, agent, content), 0, proved, 0, BYTES);
        System.arraycopy(content, 0, proved, BYTES, content.length);
        return proved;
    }

    /** The record; empty if it is not proved. */
    public Optional<byte[]> check(Kind kind, String agent, byte[] proved) {
        if (proved.length < BYTES) {
            return Optional.empty();
        }
        byte[] proof = new byte[BYTES];
        byte[] content = new byte[proved.length - BYTES];
        System.arraycopy(proved, 0, proof, 0, BYTES);
        System.arraycopy(proved, BYTES, content, 0, content.length);
        return MessageDigest.isEqual(proof, proof(kind, agent, content)) ? Optional.of(content) : Optional.empty();
    }

    // Names have no zero bytes, so that nothing can move from one part to another.
    private byte[] proof(Kind kind, String agent, byte[] content) {
        String about = kind.name() + '\0' + pool + '\0' + agent + '\0';
        return HmacSha256.of(key, about.getBytes(StandardCharsets.UTF_8), content);
    }
}
