/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.internal.checkpoint.Content;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Begins as zeros; pieces of contents are mixed into it by exclusive or, in any order, by several threads. */
sealed interface Mixture permits ParityBuffer, ParityFile {
    // Eight bytes at a time: in a profile of LocalStateBench a loop over bytes was the most frequent place.
    VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /**
     * Mixes in the first bytes of an array.
     *
     * @throws java.io.UncheckedIOException if there is no room for them
     */
    void xor(long at, byte[] bytes, int count);

    /** All is mixed in; called once, and the content is the caller's. */
    Content content();

    /** It will not be used. */
    void release();

    /** Mixes bytes of one array, from that place on, into another one. */
    static void xor(byte[] mixed, int at, byte[] bytes, int from, int count) {
        int i = 0;
        for (; i <= count - Long.BYTES; i += Long.BYTES) {
            LONGS.set(mixed, at + i, (long) LONGS.get(mixed, at + i) ^ (long) LONGS.get(bytes, from + i));
        }
        for (; i < count; i++) {
            mixed[at + i] ^= bytes[from + i];
        }
    }
}
