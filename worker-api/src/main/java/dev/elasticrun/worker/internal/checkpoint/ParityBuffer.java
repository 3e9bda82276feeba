/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A content that begins as zeros, into which pieces of others are mixed, in any order. It is there at once if its length
 * is beyond doubt, or small; else it grows with what arrives. Any thread.
 */
final class ParityBuffer {
    private static final int GROWTH = 4;

    private final int length;
    private final ContentPool pool;
    // Guarded by this.
    private @Nullable PooledBlob content;
    private byte[] buffer;

    /** @param isSure whether the length is beyond doubt */
    ParityBuffer(int length, boolean isSure, ContentPool pool) {
        this.length = length;
        this.pool = pool;
        this.content = isSure || length <= IncomingBlob.FIRST
                ? pool.take(length)
                : pool.find(length).orElse(null);
        this.buffer = content == null ? new byte[IncomingBlob.FIRST] : content.buffer();
        Arrays.fill(buffer, 0, Math.min(length, buffer.length), (byte) 0);
    }

    /** Mixes in the first bytes of an array. */
    synchronized void xor(int at, byte[] bytes, int count) {
        grow(at + count);
        byte[] mixed = buffer;
        for (int i = 0; i < count; i++) {
            mixed[at + i] ^= bytes[i];
        }
    }

    /** All is mixed in; the content is the caller's. */
    synchronized PooledBlob content() {
        grow(length);
        PooledBlob whole = content;
        if (whole == null) {
            whole = new PooledBlob(pool, buffer, length);
            content = whole;
        }
        return whole;
    }

    private void grow(int end) {
        if (end > buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(length, Math.max(end, (long) GROWTH * buffer.length)));
        }
    }
}
