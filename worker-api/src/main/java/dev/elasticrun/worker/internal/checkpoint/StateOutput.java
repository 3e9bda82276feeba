/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.net.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Takes a state block by block: makes its digest and, where there is a file, its checksum, and writes it there. Takes one block
 * of memory. User thread.
 */
final class StateOutput implements WritableByteChannel {
    private final @Nullable GrowingFile file;
    private final long offset;
    private final byte[] block = new byte[Digest.BLOCK];
    private final CRC32C crc = new CRC32C();
    private long[] hashes = new long[16];
    private int blocks;
    private int filled;
    private long length;
    private boolean isOpen = true;

    /**
     * @param file null = only the digest is wanted
     * @param offset where the content begins in the file
     */
    StateOutput(@Nullable GrowingFile file, long offset) {
        this.file = file;
        this.offset = offset;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        if (!isOpen) {
            throw new ClosedChannelException();
        }
        int taken = bytes.remaining();
        while (bytes.hasRemaining()) {
            int part = Math.min(block.length - filled, bytes.remaining());
            bytes.get(block, filled, part);
            filled += part;
            if (filled == block.length) {
                flush();
            }
        }
        return taken;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    /** A program may close the channel; what it wrote counts. */
    @Override
    public void close() {
        isOpen = false;
    }

    /** All is written. */
    void finish() throws IOException {
        isOpen = false;
        if (filled > 0) {
            flush();
        }
    }

    long length() {
        return length;
    }

    long digest() {
        return Digest.chain(Arrays.copyOf(hashes, blocks), length);
    }

    int checksum() {
        return (int) crc.getValue();
    }

    private void flush() throws IOException {
        if (blocks == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * blocks);
        }
        hashes[blocks] = Digest.block(block, 0, filled);
        blocks++;
        if (file != null) {
            crc.update(block, 0, filled);
            file.write(offset + length, block, 0, filled);
        }
        length += filled;
        filled = 0;
    }
}
