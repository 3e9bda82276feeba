/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.nio.ByteBuffer;

/** Where a content that arrives is put. Threads put different chunks. */
sealed interface ArrivalMemory permits ArrivalBuffer, ArrivalFile {
    /**
     * Takes over bytes of a chunk, from that place on.
     *
     * @throws java.io.UncheckedIOException if there is no room for them
     */
    void put(long at, ByteBuffer bytes);

    /** The hash of bytes that were put. */
    long hash(long at, int length, ChunkMemory memory);

    /** All of it; the caller's. */
    Content content();

    /** It will not be used. */
    void release();

    /** Bytes of heap that it takes now. */
    int capacity();
}
