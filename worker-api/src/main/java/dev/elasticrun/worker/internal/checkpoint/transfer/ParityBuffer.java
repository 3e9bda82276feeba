/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.internal.checkpoint.ContentPool;
import dev.elasticrun.worker.internal.checkpoint.GrowingBuffer;
import dev.elasticrun.worker.internal.checkpoint.PooledBlob;
import java.util.Arrays;

/** A mixture in a {@link GrowingBuffer}. Any thread. */
final class ParityBuffer implements Mixture {
    private final int length;
    // Guarded by this.
    private final GrowingBuffer buffer;

    /** @param isSure whether the length is beyond doubt */
    ParityBuffer(int length, boolean isSure, ContentPool pool) {
        this.length = length;
        this.buffer = new GrowingBuffer(length, isSure, pool);
        byte[] bytes = buffer.bytes();
        Arrays.fill(bytes, 0, Math.min(length, bytes.length), (byte) 0);
    }

    @Override
    public synchronized void xor(long at, byte[] bytes, int count) {
        int start = (int) at;
        buffer.grow(start + count);
        Mixture.xor(buffer.bytes(), start, bytes, 0, count);
    }

    @Override
    public synchronized PooledBlob content() {
        buffer.grow(length);
        return buffer.content();
    }

    @Override
    public synchronized void release() {
        buffer.release();
    }
}
