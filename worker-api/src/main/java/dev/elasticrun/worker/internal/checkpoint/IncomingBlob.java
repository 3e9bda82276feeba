/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.net.Digest;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A content of which chunks arrive, each once, in any order, from several peers. Kept when a round breaks, so that the
 * next one brings only what is missing. Threads write different chunks; they note them under this monitor.
 */
public final class IncomingBlob {
    /** Bytes of a chunk; the last one is shorter. */
    public static final int CHUNK = Digest.BLOCK;

    /** Bytes of heap that are there at once in any case. */
    static final int FIRST = 1 << 24;

    private final CheckpointId id;
    private final int owner;
    private final long length;
    private final long digest;
    private final ArrivalMemory memory;
    private final long[] hashes;
    private final BitSet arrived = new BitSet();

    /** @param memory with room for all of it; is this object's */
    IncomingBlob(CheckpointId id, int owner, long length, long digest, ArrivalMemory memory) {
        this.id = id;
        this.owner = owner;
        this.length = length;
        this.digest = digest;
        this.memory = memory;
        this.hashes = new long[Digest.blocks(length)];
    }

    CheckpointId id() {
        return id;
    }

    public long length() {
        return length;
    }

    public long digest() {
        return digest;
    }

    /** All of it, which is whole. */
    Content content() {
        return memory.content();
    }

    /** It will not be used. */
    void release() {
        memory.release();
    }

    /** Bytes of heap that it takes now. */
    int capacity() {
        return memory.capacity();
    }

    /** Takes over bytes of a chunk, from that place on. */
    public void put(long at, ByteBuffer bytes) {
        memory.put(at, bytes);
    }

    boolean isOf(CheckpointId otherId, int otherOwner) {
        return id.equals(otherId) && owner == otherOwner;
    }

    boolean isLike(long otherLength, long otherDigest) {
        return length == otherLength && digest == otherDigest;
    }

    /** The chunk's bytes are in the content, and were what was sent. */
    public void arrived(int chunk, ChunkMemory scratch) {
        long hash = memory.hash((long) chunk * CHUNK, chunkLength(chunk, length), scratch);
        synchronized (this) {
            hashes[chunk] = hash;
            arrived.set(chunk);
        }
    }

    public synchronized boolean isWhole() {
        return arrived.cardinality() == hashes.length && Digest.chain(hashes, length) == digest;
    }

    synchronized CheckpointInventory.Partial describe() {
        return new CheckpointInventory.Partial(id, owner, length, digest, (BitSet) arrived.clone());
    }

    /** Whether all of these chunks have arrived. */
    public synchronized boolean contains(BitSet chunks) {
        BitSet missing = (BitSet) chunks.clone();
        missing.andNot(arrived);
        return missing.isEmpty();
    }

    public static int chunkLength(int chunk, long length) {
        return (int) Math.min(CHUNK, length - (long) chunk * CHUNK);
    }
}
