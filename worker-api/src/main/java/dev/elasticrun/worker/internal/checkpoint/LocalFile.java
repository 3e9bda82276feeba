/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointHeader;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.ContentName;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A file with one content that is about a local state: the state, a copy of another rank's, or a block of parity. It has the
 * {@link CheckpointHeader} of a file without parts, and then the content up to its end, of which the file that refers to it has length
 * and digest. Any thread.
 */
public record LocalFile(GrowingFile file, int begin) implements Closeable {
    /** @param expected bytes of the content, as far as is known */
    public static LocalFile create(ContentFiles files, CheckpointId id, long expected) throws IOException {
        ByteBuffer header = new CheckpointFile(id, 0, -1, 0, true, List.of()).header();
        byte[] bytes = new byte[header.remaining()];
        header.get(bytes);
        GrowingFile file = files.local(id.version(), bytes.length + expected);
        try {
            file.write(0, bytes, 0, bytes.length);
        } catch (IOException e) {
            file.close();
            throw e;
        }
        return new LocalFile(file, bytes.length);
    }

    /** Opens the content of a whole one; throws IOException that names the damage. */
    public static FileBlob open(ContentFiles files, ContentName name, CheckpointId id, long length, long digest)
            throws IOException {
        Path path = files.find(name).orElseThrow(() -> new IOException(name + " is missing"));
        RandomAccessFile opened = new RandomAccessFile(path.toFile(), "r");
        boolean isWhole = false;
        try {
            ByteBuffer header = CheckpointHeader.read(opened.getChannel());
            int begin = header.capacity();
            require(CheckpointHeader.id(header).equals(id), name + " belongs to another checkpoint than " + id);
            require(
                    opened.length() == begin + length,
                    name + " is damaged: " + (opened.length() - begin) + " bytes (expected: " + length + ")");
            FileBlob content = new FileBlob(path, opened, begin, length, false);
            require(content.digest() == digest, name + " is damaged: digest of the content");
            isWhole = true;
            return content;
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            if (!isWhole) {
                opened.close();
            }
        }
    }

    /** The content; its last holder deletes the file. */
    public FileBlob content(long length) {
        return file.content(begin, length);
    }

    /** Removes the file, unless its content was handed on. */
    @Override
    public void close() throws IOException {
        file.close();
    }

    private static void require(boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException(what);
        }
    }
}
