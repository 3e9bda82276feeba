/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.net.Digest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Immutable bytes in a part of an open file, which may have another name by now, or none: its pages are freed when all
 * processes have closed it. Read without a channel, as an interrupt of the reading thread would close that. Any thread.
 */
public final class FileBlob implements Content {
    private static final System.Logger LOGGER = System.getLogger(FileBlob.class.getName());
    /** Bytes of one read: the runtime copies them once more, outside of the heap. */
    private static final int PIECE = 1 << 18;

    private final Path path;
    private final RandomAccessFile file;
    private final long offset;
    private final long length;
    // Guarded by this.
    private final byte[] piece = new byte[PIECE];
    private boolean isTemporary;
    private int holders = 1;

    /**
     * Takes over the file.
     *
     * @param path the name under which it was opened
     * @param offset of the first byte of the content
     * @param isTemporary whether the last holder deletes the file
     */
    FileBlob(Path path, RandomAccessFile file, long offset, long length, boolean isTemporary) {
        this.path = path;
        this.file = file;
        this.offset = offset;
        this.length = length;
        this.isTemporary = isTemporary;
    }

    /** The name under which it was opened. */
    public Path path() {
        return path;
    }

    /** The file has a name that stays when this process has released it. */
    synchronized void stays() {
        isTemporary = false;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public synchronized void read(long at, ByteBuffer to) {
        if (at < 0 || to.remaining() > length - at) {
            throw new IllegalArgumentException(
                    "content: bytes from " + at + " to " + (at + to.remaining()) + " (expected: up to " + length + ")");
        }
        try {
            file.seek(offset + at);
            while (to.hasRemaining()) {
                int bytes = Math.min(PIECE, to.remaining());
                file.readFully(piece, 0, bytes);
                to.put(piece, 0, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path + ": " + e, e);
        }
    }

    @Override
    public ByteBuffer slice(long at, int bytes, ChunkMemory memory) {
        ByteBuffer to = memory.clear().limit(bytes);
        read(at, to);
        return to.flip();
    }

    @Override
    public long digest() {
        long[] hashes = new long[Digest.blocks(length)];
        ChunkMemory memory = new ChunkMemory();
        for (int block = 0; block < hashes.length; block++) {
            long at = (long) block * Digest.BLOCK;
            int bytes = (int) Math.min(Digest.BLOCK, length - at);
            hashes[block] = Digest.block(slice(at, bytes, memory).array(), 0, bytes);
        }
        return Digest.chain(hashes, length);
    }

    @Override
    public byte[] toBytes() {
        if (length > ContentPool.MAX_LENGTH) {
            throw new IllegalStateException("cannot return a state of " + length
                    + " bytes as an array (expected: a program that reads it as a StreamedSnapshot)");
        }
        byte[] bytes = new byte[(int) length];
        read(0, ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** It takes no heap. */
    @Override
    public boolean isInTheWay(boolean isOptional) {
        return false;
    }

    @Override
    public synchronized FileBlob retain() {
        if (holders == 0) {
            throw new IllegalStateException("cannot hold a content that was let go");
        }
        holders++;
        return this;
    }

    @Override
    public synchronized void release() {
        if (holders == 0) {
            throw new IllegalStateException("cannot let go of a content twice");
        }
        holders--;
        if (holders > 0) {
            return;
        }
        try {
            file.close();
            if (isTemporary) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot remove " + path + ": " + e);
        }
    }
}
