/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A {@link GrowingBuffer} that begins as zeros, into which pieces of others are mixed, in any order. Any thread. */
final class ParityBuffer {
    // Eight bytes at a time: in a profile of LocalStateBench a loop over bytes was the most frequent place.
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

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

    /** Mixes in the first bytes of an array. */
    synchronized void xor(int at, byte[] bytes, int count) {
        buffer.grow(at + count);
        byte[] mixed = buffer.bytes();
        int i = 0;
        for (; i <= count - Long.BYTES; i += Long.BYTES) {
            LONGS.set(mixed, at + i, (long) LONGS.get(mixed, at + i) ^ (long) LONGS.get(bytes, i));
        }
        for (; i < count; i++) {
            mixed[at + i] ^= bytes[i];
        }
    }

    /** All is mixed in; called once, and the content is the caller's. */
    synchronized PooledBlob content() {
        buffer.grow(length);
        return buffer.content();
    }
}
