/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.util.Arrays;

/**
 * Owns immutable bytes in a buffer that goes back to its pool when the last holder releases it. Its creator is the
 * first holder. Any thread.
 */
public final class PooledBlob {
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

    int length() {
        return length;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(buffer, length);
    }

    /**
     * Whether the last holder should release the content, as the memory is needed: a thread waits for a buffer, or a
     * newer content of a similar size takes another one meanwhile.
     *
     * @param isOptional whether what the holder does with it can be left out
     */
    boolean isInTheWay(boolean isOptional) {
        synchronized (pool) {
            return holders == 1 && (pool.isStarved() || (isOptional && pool.isLarge(length)));
        }
    }

    PooledBlob retain() {
        synchronized (pool) {
            if (holders == 0) {
                throw new IllegalStateException("cannot hold a content that was let go");
            }
            holders++;
        }
        return this;
    }

    void release() {
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
