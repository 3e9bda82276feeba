/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.net.Digest;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A {@link GrowingBuffer} into which several threads put. */
final class ArrivalBuffer implements ArrivalMemory {
    // The thread that replaces the array with a longer one holds the write lock.
    private final ReadWriteLock growth = new ReentrantReadWriteLock();
    private final GrowingBuffer buffer;

    /** @param isSure whether the length is beyond doubt */
    ArrivalBuffer(int length, boolean isSure, ContentPool pool) {
        this.buffer = new GrowingBuffer(length, isSure, pool);
    }

    @Override
    public void put(long at, ByteBuffer bytes) {
        int start = (int) at;
        int end = start + bytes.remaining();
        growth.readLock().lock();
        try {
            if (end <= buffer.bytes().length) {
                bytes.get(buffer.bytes(), start, bytes.remaining());
                return;
            }
        } finally {
            growth.readLock().unlock();
        }
        growth.writeLock().lock();
        try {
            buffer.grow(end);
            bytes.get(buffer.bytes(), start, bytes.remaining());
        } finally {
            growth.writeLock().unlock();
        }
    }

    @Override
    public long hash(long at, int bytes, ChunkMemory memory) {
        growth.readLock().lock();
        try {
            return Digest.block(buffer.bytes(), (int) at, bytes);
        } finally {
            growth.readLock().unlock();
        }
    }

    @Override
    public PooledBlob content() {
        return buffer.content();
    }

    @Override
    public void release() {
        buffer.release();
    }

    @Override
    public int capacity() {
        return buffer.bytes().length;
    }
}
