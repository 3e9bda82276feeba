/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointSpace;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being filled, in any order. It begins in the first directory with room for what is expected, and goes to the
 * next one when that is full: what it has so far is copied. Any thread.
 */
public final class GrowingFile implements Closeable {
    private static final int PIECE = 1 << 18;
    /** Bytes after which the file system is looked at again. */
    private static final long CHECKED = 4L << 20;

    private final ContentFiles files;
    private final String name;
    private final boolean isUnnamed;
    // Guarded by this.
    private int turn = -1;
    private @Nullable IOException lastFailure;
    private long unchecked;
    private boolean isHandedOn;
    private Path path;
    private CheckpointSpace space;
    private RandomAccessFile file;

    /**
     * @param name of the file, in whichever directory
     * @param expected bytes, as far as is known
     * @param isUnnamed whether the name goes as soon as the file is open
     */
    GrowingFile(ContentFiles files, String name, long expected, boolean isUnnamed) throws IOException {
        this.files = files;
        this.name = name;
        this.isUnnamed = isUnnamed;
        Place first = next(expected);
        this.path = first.path();
        this.space = first.space();
        this.file = first.file();
    }

    private record Place(Path path, CheckpointSpace space, RandomAccessFile file) {}

    public synchronized void write(long at, byte[] bytes, int from, int length) throws IOException {
        while (true) {
            try {
                if (unchecked > CHECKED) {
                    // Others write into the same file system.
                    space.require(0);
                    unchecked = 0;
                }
                file.seek(at);
                file.write(bytes, from, length);
                unchecked += length;
                return;
            } catch (IOException e) {
                moveOn(e);
            }
        }
    }

    /** Bytes that were written before. */
    public synchronized void read(long at, byte[] to, int length) throws IOException {
        file.seek(at);
        file.readFully(to, 0, length);
    }

    /** The content from that place on; the file is the content's. */
    synchronized FileBlob content(long offset, long length) {
        isHandedOn = true;
        return new FileBlob(path, file, offset, length, !isUnnamed);
    }

    /** Removes the file, unless it was handed on. */
    @Override
    public synchronized void close() throws IOException {
        if (!isHandedOn) {
            file.close();
            Files.deleteIfExists(path);
        }
    }

    private void moveOn(IOException why) throws IOException {
        lastFailure = why;
        Place old = new Place(path, space, file);
        files.isShort(files.directories().get(turn), why);
        Place better = nextWith(old.file());
        path = better.path();
        space = better.space();
        file = better.file();
        old.file().close();
        Files.deleteIfExists(old.path());
    }

    private Place nextWith(RandomAccessFile old) throws IOException {
        while (true) {
            Place better = next(old.length());
            try {
                copy(old, better.file());
                return better;
            } catch (IOException e) {
                lastFailure = e;
                better.file().close();
                Files.deleteIfExists(better.path());
            }
        }
    }

    private Place next(long expected) throws IOException {
        while (true) {
            turn++;
            if (turn == files.directories().size()) {
                throw new IOException(
                        "no room for a state of at least " + expected + " bytes: "
                                + (lastFailure == null ? "no directory" : lastFailure.getMessage()),
                        lastFailure);
            }
            Path directory = files.directories().get(turn);
            try {
                return open(directory, expected);
            } catch (IOException e) {
                if (lastFailure != null) {
                    e.addSuppressed(lastFailure);
                }
                lastFailure = e;
                files.isShort(directory, e);
            }
        }
    }

    private Place open(Path directory, long expected) throws IOException {
        CheckpointSpace of = files.space(directory);
        of.require(expected);
        Path at = directory.resolve(name);
        Files.deleteIfExists(at);
        Files.createFile(at, CheckpointSpace.PRIVATE_FILE);
        RandomAccessFile opened = new RandomAccessFile(at.toFile(), "rw");
        if (isUnnamed) {
            Files.delete(at);
        }
        return new Place(at, of, opened);
    }

    private static void copy(RandomAccessFile from, RandomAccessFile to) throws IOException {
        byte[] piece = new byte[PIECE];
        from.seek(0);
        for (int bytes = from.read(piece); bytes > 0; bytes = from.read(piece)) {
            to.write(piece, 0, bytes);
        }
    }
}
