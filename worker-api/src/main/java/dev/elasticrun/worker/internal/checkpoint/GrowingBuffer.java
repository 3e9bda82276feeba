/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the heap for a content that comes from peers. It is there at once if it is used again, is small, or if the length
 * is beyond doubt. Else it grows with what arrives. Whoever shares it between threads guards it.
 */
public final class GrowingBuffer {
    private static final int GROWTH = 4;

    private final int length;
    private final ContentPool pool;
    private final @Nullable PooledBlob content;
    private byte[] bytes;

    /** @param isSure whether the length is beyond doubt */
    public GrowingBuffer(int length, boolean isSure, ContentPool pool) {
        this.length = length;
        this.pool = pool;
        this.content = isSure || length <= IncomingBlob.FIRST
                ? pool.take(length)
                : pool.find(length).orElse(null);
        this.bytes = content == null ? new byte[IncomingBlob.FIRST] : content.buffer();
    }

    /** As long as it is now, or longer than the content; it is another array once it has grown. */
    public byte[] bytes() {
        return bytes;
    }

    /** The bytes before that place are there from now on. */
    public void grow(int end) {
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(length, Math.max(end, (long) GROWTH * bytes.length)));
        }
    }

    /** All is there; called once, and the content is the caller's. */
    public PooledBlob content() {
        return content == null ? new PooledBlob(pool, bytes, length) : content;
    }

    /** It is not used. */
    public void release() {
        if (content != null) {
            content.release();
        }
    }
}
