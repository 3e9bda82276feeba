/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.net.Digest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A content of which chunks arrive, each once, in any order, from several peers. Kept when a round breaks, so that the
 * next one brings only what is missing. Threads write different chunks; they note them under this monitor.
 *
 * <p>Its memory is there at once if it is used again, or if the length is beyond doubt. Else it grows with what arrives.
 */
final class IncomingBlob {
    /** Bytes of a chunk; the last one is shorter. */
    static final int CHUNK = Digest.BLOCK;

    /** Bytes that are there at once in any case. */
    static final int FIRST = 1 << 24;

    private static final int GROWTH = 4;

    private final CheckpointId id;
    private final int owner;
    private final int length;
    private final long digest;
    private final ContentPool pool;
    private final long[] hashes;
    private final BitSet arrived = new BitSet();
    // The thread that replaces the buffer with a longer one holds the write lock.
    private final ReadWriteLock growth = new ReentrantReadWriteLock();

    private @Nullable PooledBlob content;
    private byte[] buffer;

    /** @param isSure whether the length is beyond doubt */
    IncomingBlob(CheckpointId id, int owner, int length, long digest, boolean isSure, ContentPool pool) {
        this.id = id;
        this.owner = owner;
        this.length = length;
        this.digest = digest;
        this.pool = pool;
        this.content = isSure || length <= FIRST
                ? pool.take(length)
                : pool.find(length).orElse(null);
        this.buffer = content == null ? new byte[FIRST] : content.buffer();
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

    /** All of it, which is whole. */
    PooledBlob content() {
        PooledBlob known = content;
        return known == null ? new PooledBlob(pool, buffer, length) : known;
    }

    /** It will not be used. */
    void release() {
        if (content != null) {
            content.release();
        }
    }

    /** Bytes that it takes now. */
    int capacity() {
        return buffer.length;
    }

    /** Takes over bytes of a chunk, from that place on. */
    void put(int at, ByteBuffer bytes) {
        int end = at + bytes.remaining();
        growth.readLock().lock();
        try {
            if (end <= buffer.length) {
                bytes.get(buffer, at, bytes.remaining());
                return;
            }
        } finally {
            growth.readLock().unlock();
        }
        growth.writeLock().lock();
        try {
            if (end > buffer.length) {
                buffer = Arrays.copyOf(buffer, (int) Math.min(length, Math.max(end, (long) GROWTH * buffer.length)));
            }
            bytes.get(buffer, at, bytes.remaining());
        } finally {
            growth.writeLock().unlock();
        }
    }

    boolean isOf(CheckpointId otherId, int otherOwner) {
        return id.equals(otherId) && owner == otherOwner;
    }

    boolean isLike(int otherLength, long otherDigest) {
        return length == otherLength && digest == otherDigest;
    }

    /** The chunk's bytes are in the content, and were what was sent. */
    void arrived(int chunk) {
        long hash;
        growth.readLock().lock();
        try {
            hash = Digest.block(buffer, chunk * CHUNK, chunkLength(chunk, length));
        } finally {
            growth.readLock().unlock();
        }
        synchronized (this) {
            hashes[chunk] = hash;
            arrived.set(chunk);
        }
    }

    synchronized boolean isWhole() {
        return arrived.cardinality() == hashes.length && Digest.chain(hashes, length) == digest;
    }

    synchronized CheckpointInventory.Partial describe() {
        return new CheckpointInventory.Partial(id, owner, length, digest, (BitSet) arrived.clone());
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
