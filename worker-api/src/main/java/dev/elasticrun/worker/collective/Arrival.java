/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.BitSet;

/**
 * A content of which chunks arrive, each once, in any order, from several peers. Kept when a round breaks, so that the
 * next one brings only what is missing. Threads write different chunks; they note them under this monitor.
 */
final class Arrival {
    /** Bytes of a chunk; the last one is shorter. */
    static final int CHUNK = Digest.BLOCK;

    private final CheckpointId id;
    private final int owner;
    private final int length;
    private final long digest;
    private final Content content;
    private final long[] hashes;
    private final BitSet arrived = new BitSet();

    Arrival(CheckpointId id, int owner, int length, long digest, ContentPool pool) {
        this.id = id;
        this.owner = owner;
        this.length = length;
        this.digest = digest;
        this.content = pool.take(length);
        this.hashes = new long[Digest.blocks(length)];
    }

    CheckpointId id() {
        return id;
    }

    int length() {
        return length;
    }

    long digest() {
        return digest;
    }

    Content content() {
        return content;
    }

    boolean isOf(CheckpointId otherId, int otherOwner) {
        return id.equals(otherId) && owner == otherOwner;
    }

    boolean isLike(int otherLength, long otherDigest) {
        return length == otherLength && digest == otherDigest;
    }

    /** The chunk's bytes are in the content, and were what was sent. */
    void arrived(int chunk) {
        long hash = Digest.block(content.buffer(), chunk * CHUNK, chunkLength(chunk, length));
        synchronized (this) {
            hashes[chunk] = hash;
            arrived.set(chunk);
        }
    }

    synchronized boolean isWhole() {
        return arrived.cardinality() == hashes.length && Digest.chain(hashes, length) == digest;
    }

    synchronized Holdings.Partial describe() {
        return new Holdings.Partial(id, owner, length, digest, (BitSet) arrived.clone());
    }

    /** Whether all of these chunks have arrived. */
    synchronized boolean contains(BitSet chunks) {
        BitSet missing = (BitSet) chunks.clone();
        missing.andNot(arrived);
        return missing.isEmpty();
    }

    static int chunkLength(int chunk, int length) {
        return Math.min(CHUNK, length - chunk * CHUNK);
    }
}
