/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.net.Digest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Owns immutable bytes in a buffer that goes back to its pool when the last holder releases it. Its creator is the
 * first holder. Any thread.
 */
public final class PooledBlob implements Content {
    private final ContentPool pool;
    private final byte[] buffer;
    private final int length;
    /** Guarded by the pool. */
    private int holders = 1;

    PooledBlob(ContentPool pool, byte[] buffer, int length) {
        this.pool = pool;
        this.buffer = buffer;
        this.length = length;
    }

    /** May be longer than the content. */
    public byte[] buffer() {
        return buffer;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void read(long at, ByteBuffer to) {
        to.put(buffer, (int) at, to.remaining());
    }

    @Override
    public ByteBuffer slice(long at, int bytes, ChunkMemory memory) {
        return ByteBuffer.wrap(buffer, (int) at, bytes);
    }

    @Override
    public long digest() {
        return Digest.of(buffer, length);
    }

    @Override
    public byte[] toBytes() {
        return Arrays.copyOf(buffer, length);
    }

    @Override
    public boolean isInTheWay(boolean isOptional) {
        synchronized (pool) {
            return holders == 1 && (pool.isStarved() || (isOptional && pool.isLarge(length)));
        }
    }

    @Override
    public PooledBlob retain() {
        synchronized (pool) {
            if (holders == 0) {
                throw new IllegalStateException("cannot hold a content that was let go");
            }
            holders++;
        }
        return this;
    }

    @Override
    public void release() {
        synchronized (pool) {
            if (holders == 0) {
                throw new IllegalStateException("cannot let go of a content twice");
            }
            holders--;
            if (holders == 0) {
                pool.giveBack(buffer);
            }
        }
    }
}
