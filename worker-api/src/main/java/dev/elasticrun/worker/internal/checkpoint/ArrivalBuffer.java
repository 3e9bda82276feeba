/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.net.Digest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the heap. It is there at once if it is used again, or if the length is beyond doubt. Else it grows with what
 * arrives.
 */
final class ArrivalBuffer implements ArrivalMemory {
    private static final int GROWTH = 4;

    private final int length;
    private final ContentPool pool;
    // The thread that replaces the buffer with a longer one holds the write lock.
    private final ReadWriteLock growth = new ReentrantReadWriteLock();

    private final @Nullable PooledBlob content;
    private byte[] buffer;

    /** @param isSure whether the length is beyond doubt */
    ArrivalBuffer(int length, boolean isSure, ContentPool pool) {
        this.length = length;
        this.pool = pool;
        this.content = isSure || length <= IncomingBlob.FIRST
                ? pool.take(length)
                : pool.find(length).orElse(null);
        this.buffer = content == null ? new byte[IncomingBlob.FIRST] : content.buffer();
    }

    @Override
    public void put(long at, ByteBuffer bytes) {
        int start = (int) at;
        int end = start + bytes.remaining();
        growth.readLock().lock();
        try {
            if (end <= buffer.length) {
                bytes.get(buffer, start, bytes.remaining());
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
            bytes.get(buffer, start, bytes.remaining());
        } finally {
            growth.writeLock().unlock();
        }
    }

    @Override
    public long hash(long at, int bytes, ChunkMemory memory) {
        growth.readLock().lock();
        try {
            return Digest.block(buffer, (int) at, bytes);
        } finally {
            growth.readLock().unlock();
        }
    }

    @Override
    public PooledBlob content() {
        return content == null ? new PooledBlob(pool, buffer, length) : content;
    }

    @Override
    public void release() {
        if (content != null) {
            content.release();
        }
    }

    @Override
    public int capacity() {
        return buffer.length;
    }
}
