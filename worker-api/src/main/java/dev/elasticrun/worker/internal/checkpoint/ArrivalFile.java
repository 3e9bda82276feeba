/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.net.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/** A file: a content that is to be read as a stream takes no heap where it arrives, either. */
final class ArrivalFile implements ArrivalMemory {
    private static final System.Logger LOGGER = System.getLogger(ArrivalFile.class.getName());

    private final long length;
    private final GrowingFile file;
    private final int begin;

    private ArrivalFile(long length, GrowingFile file, int begin) {
        this.length = length;
        this.file = file;
        this.begin = begin;
    }

    /** For a global state. */
    static ArrivalFile unnamed(long length, ContentFiles files) {
        try {
            return new ArrivalFile(length, files.unnamed(length), 0);
        } catch (IOException e) {
            throw noRoom(length, e);
        }
    }

    /** For a local state of a checkpoint. */
    static ArrivalFile local(long length, ContentFiles files, CheckpointId id) {
        try {
            LocalFile local = LocalFile.create(files, id, length);
            return new ArrivalFile(length, local.file(), local.begin());
        } catch (IOException e) {
            throw noRoom(length, e);
        }
    }

    @Override
    public void put(long at, ByteBuffer bytes) {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        try {
            file.write(begin + at, piece, 0, piece.length);
        } catch (IOException e) {
            throw noRoom(length, e);
        }
    }

    @Override
    public long hash(long at, int bytes, ChunkMemory memory) {
        byte[] chunk = memory.clear().array();
        try {
            file.read(begin + at, chunk, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a state that arrived: " + e.getMessage(), e);
        }
        return Digest.block(chunk, 0, bytes);
    }

    @Override
    public FileBlob content() {
        return file.content(begin, length);
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

    private static UncheckedIOException noRoom(long length, IOException e) {
        return new UncheckedIOException("cannot receive a state of " + length + " bytes: " + e.getMessage(), e);
    }
}
