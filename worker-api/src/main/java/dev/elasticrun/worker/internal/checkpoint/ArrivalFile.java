/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.net.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/** A file without a name: a content that is to be read as a stream takes no heap where it arrives, either. */
final class ArrivalFile implements ArrivalMemory {
    private static final System.Logger LOGGER = System.getLogger(ArrivalFile.class.getName());

    private final long length;
    private final GrowingFile file;

    ArrivalFile(long length, ContentFiles files) {
        this.length = length;
        try {
            this.file = files.unnamed(length);
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    @Override
    public void put(long at, ByteBuffer bytes) {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        try {
            file.write(at, piece, 0, piece.length);
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    @Override
    public long hash(long at, int bytes, ChunkMemory memory) {
        byte[] chunk = memory.clear().array();
        try {
            file.read(at, chunk, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a state that arrived: " + e.getMessage(), e);
        }
        return Digest.block(chunk, 0, bytes);
    }

    @Override
    public FileBlob content() {
        return file.content(0, length);
    }

    @Override
    public void release() {
        try {
            file.close();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot close the file of a state that began to arrive: " + e);
        }
    }

    @Override
    public int capacity() {
        return 0;
    }

    private UncheckedIOException noRoom(IOException e) {
        return new UncheckedIOException("cannot receive a state of " + length + " bytes: " + e.getMessage(), e);
    }
}
