/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.nio.ByteBuffer;

/**
 * Immutable bytes of a state, in the heap or in a file. Counts its holders; its creator is the first one, and the last one
 * frees what the bytes take. Any thread.
 */
public sealed interface Content permits PooledBlob, FileBlob {
    long length();

    /**
     * Fills the buffer with the bytes from that place on; all of them must be there.
     *
     * @throws java.io.UncheckedIOException if a file cannot be read
     */
    void read(long at, ByteBuffer to);

    /**
     * The bytes from that place on, to be read before the next call with the same memory.
     *
     * @param memory is used if the bytes are not in memory: a heap buffer with room for {@code length} bytes
     */
    ByteBuffer slice(long at, int length, ChunkMemory memory);

    /** Of the bytes, which are read for it. */
    long digest();

    /** A copy; throws IllegalStateException if no array can hold it. */
    byte[] toBytes();

    /**
     * Whether the last holder should release the content, as the memory is needed: a thread waits for a buffer, or a
     * newer content of a similar size takes another one meanwhile.
     *
     * @param isOptional whether what the holder does with it can be left out
     */
    boolean isInTheWay(boolean isOptional);

    Content retain();

    void release();
}
