/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.ContentFiles;
import dev.elasticrun.worker.internal.checkpoint.FileBlob;
import dev.elasticrun.worker.internal.checkpoint.LocalFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;

/** A mixture in a file: what is there is read, mixed and written back piece by piece. Any thread. */
final class ParityFile implements Mixture {
    private static final System.Logger LOGGER = System.getLogger(ParityFile.class.getName());

    private final long length;
    private final LocalFile file;
    // Guarded by this.
    private final byte[] piece = new byte[ChunkWriter.BULK];

    ParityFile(long length, ContentFiles files, CheckpointId id) {
        this.length = length;
        try {
            this.file = LocalFile.create(files, id, length);
            if (length > 0) {
                // What is not written before that place is zeros.
                file.file().write(file.begin() + length - 1, new byte[1], 0, 1);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public synchronized void xor(long at, byte[] bytes, int count) {
        try {
            for (int from = 0; from < count; from += piece.length) {
                int part = Math.min(piece.length, count - from);
                file.file().read(file.begin() + at + from, piece, part);
                Mixture.xor(piece, 0, bytes, from, part);
                file.file().write(file.begin() + at + from, piece, 0, part);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public FileBlob content() {
        return file.content(length);
    }

    @Override
    public void release() {
        try {
            file.close();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot close a file of parity: " + e);
        }
    }

    private UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("cannot keep parity of " + length + " bytes: " + e.getMessage(), e);
    }
}
