/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointHeader;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.CheckpointSpace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/**
 * Parts of one checkpoint in a file. It has its name only when it is whole. Big endian:
 *
 * <pre>
 *             {@link CheckpointHeader}
 *  P times    content
 *  int32      CRC32C of the contents
 * </pre>
 *
 * @param place rank of the process that wrote it
 * @param keeperWorld world in which that, and the keepers of the parts, are ranks
 * @param hasLocals whether the checkpoint has local states, in this file or others
 */
public record CheckpointFile(
        CheckpointId id, int worldSize, int place, long keeperWorld, boolean hasLocals, List<StatePart> parts) {
    private static final int HAS_LOCALS = Integer.MIN_VALUE;
    private static final int STREAMED = 1 << 30;
    private static final int PIECE = 1 << 18;
    /** Bytes after which the file system is looked at again. */
    private static final long CHECKED = 4L << 20;

    /** Suffix of what is not whole yet. */
    static final String TEMPORARY = ".tmp";

    public CheckpointFile {
        parts = List.copyOf(parts);
    }

    /** With some of a checkpoint's parts. */
    static CheckpointFile of(Checkpoint checkpoint, List<StatePart> parts) {
        return new CheckpointFile(
                checkpoint.id(),
                checkpoint.worldSize(),
                checkpoint.place(),
                checkpoint.keeperWorld(),
                checkpoint.hasLocals(),
                parts);
    }

    /**
     * Replaces the file; only its user can read it. With {@code isDurable} it survives a loss of power once this returns.
     * Throws IOException, and leaves nothing behind, if it does not fit: others need the file system, too.
     *
     * @param space of the file's directory
     * @param isInTheWay whether the memory of the parts is needed for something else
     */
    void write(CheckpointSpace space, Path file, boolean isDurable, BooleanSupplier isInTheWay) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
        space.makeDirectory();
        Files.deleteIfExists(temporary);
        try {
            space.require(
                    parts.stream().mapToLong(part -> part.content().length()).sum());
            write(temporary, isDurable, space, isInTheWay);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException | Error e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /** What it held is needed for something else. */
    static final class GivenUpException extends IOException {
        private static final long serialVersionUID = 1;

        GivenUpException() {
            super("a checkpoint file is not written: its memory is needed for a newer one");
        }
    }

    private void write(Path temporary, boolean isDurable, CheckpointSpace space, BooleanSupplier isInTheWay)
            throws IOException {
        try (FileChannel out = FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                CheckpointSpace.PRIVATE_FILE)) {
            writeAll(out, header());
            long untilCheck = CHECKED;
            CRC32C crc = new CRC32C();
            ByteBuffer piece = ByteBuffer.allocateDirect((int) Math.min(PIECE, longestPart()));
            for (StatePart part : parts) {
                Content content = part.content();
                for (long at = 0; at < content.length(); at += PIECE) {
                    if (isInTheWay.getAsBoolean()) {
                        throw new GivenUpException();
                    }
                    int length = (int) Math.min(PIECE, content.length() - at);
                    content.read(at, piece.clear().limit(length));
                    crc.update(piece.flip());
                    writeAll(out, piece.rewind());
                    untilCheck -= length;
                    if (untilCheck <= 0) {
                        // Workers of a node write at the same time.
                        space.require(0);
                        untilCheck = CHECKED;
                    }
                }
            }
            writeAll(
                    out,
                    ByteBuffer.allocate(Integer.BYTES)
                            .putInt((int) crc.getValue())
                            .flip());
            if (isDurable) {
                out.force(true);
            }
        }
    }

    private long longestPart() {
        return parts.stream().mapToLong(part -> part.content().length()).max().orElse(0);
    }

    /**
     * Reads a whole file; throws IOException that names the damage. A content that is to be read as a stream stays in the
     * file, which stays open; others are read into buffers of the pool.
     */
    static CheckpointFile read(Path file, ContentPool pool) throws IOException {
        return open(file, pool, true);
    }

    /** Opens a file with a content that is to be read as a stream, which another process of this node has just written. */
    static CheckpointFile openStreamed(Path file, ContentPool pool) throws IOException {
        return open(file, pool, false);
    }

    void release() {
        parts.forEach(part -> part.content().release());
    }

    private static CheckpointFile open(Path path, ContentPool pool, boolean isChecked) throws IOException {
        List<StatePart> parts = new ArrayList<>();
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
        boolean isKept = false;
        try {
            FileChannel in = file.getChannel();
            CheckpointFile found = readHeader(path, file, pool, parts);
            if (isChecked || !found.isStreamed()) {
                int checksum = found.isStreamed() ? checksum(in, parts.get(0)) : fill(in, parts);
                ByteBuffer last = ByteBuffer.allocate(Integer.BYTES);
                CheckpointHeader.readFully(in, last);
                require(last.getInt(0) == checksum, "checksum of the content");
            }
            isKept = found.isStreamed();
            return found;
        } catch (IOException e) {
            parts.forEach(part -> part.content().release());
            throw e;
        } finally {
            if (!isKept) {
                file.close();
            }
        }
    }

    private static int fill(FileChannel in, List<StatePart> parts) throws IOException {
        CRC32C crc = new CRC32C();
        ChunkMemory unused = new ChunkMemory();
        for (StatePart part : parts) {
            for (long at = 0; at < part.content().length(); at += PIECE) {
                ByteBuffer piece = part.content()
                        .slice(at, (int) Math.min(PIECE, part.content().length() - at), unused);
                CheckpointHeader.readFully(in, piece.mark());
                crc.update(piece.reset());
            }
        }
        return (int) crc.getValue();
    }

    private static int checksum(FileChannel in, StatePart part) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        for (long left = part.content().length(); left > 0; left -= piece.limit()) {
            CheckpointHeader.readFully(in, piece.clear().limit((int) Math.min(PIECE, left)));
            crc.update(piece.flip());
        }
        return (int) crc.getValue();
    }

    /** Whether the contents are in files when they are read, too. */
    private boolean isStreamed() {
        return parts.stream().anyMatch(part -> part.content() instanceof FileBlob);
    }

    /** Bytes of the header of a file with so many parts. */
    static int headerBytes(String incarnation, int parts) {
        return headerBytes(incarnation.getBytes(StandardCharsets.UTF_8), parts);
    }

    private static int headerBytes(byte[] incarnation, int parts) {
        return CheckpointHeader.FIXED + incarnation.length + parts * CheckpointHeader.PART + Integer.BYTES;
    }

    ByteBuffer header() {
        byte[] incarnation = id.incarnation().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(headerBytes(incarnation, parts.size()));
        out.put(CheckpointHeader.magic()).putInt(incarnation.length);
        out.putLong(id.world()).putLong(id.version()).putLong(id.digest());
        out.putInt(worldSize | (hasLocals ? HAS_LOCALS : 0) | (isStreamed() ? STREAMED : 0))
                .putInt(place)
                .putLong(keeperWorld)
                .putInt(parts.size());
        out.put(incarnation);
        for (StatePart part : parts) {
            out.putInt(part.owner()).putLong(part.content().length()).putLong(part.digest());
            out.putInt(part.keeper()).put((byte) (part.isOwn() ? 1 : 0));
        }
        out.putInt(CheckpointHeader.crc(out));
        return out.flip();
    }

    private static CheckpointFile readHeader(Path path, RandomAccessFile file, ContentPool pool, List<StatePart> parts)
            throws IOException {
        FileChannel in = file.getChannel();
        ByteBuffer all = CheckpointHeader.read(in);
        int count = all.getInt(CheckpointHeader.FIXED - Integer.BYTES);
        int ranks = all.getInt(36);
        boolean isStreamed = (ranks & STREAMED) != 0;
        require(!isStreamed || count == 1, count + " contents as one stream");
        all.position(CheckpointHeader.FIXED + all.getInt(Long.BYTES));
        long left = in.size() - all.capacity() - Integer.BYTES;
        for (int i = 0; i < count; i++) {
            int owner = all.getInt();
            long length = all.getLong();
            left -= length;
            require(length >= 0 && left >= 0, "content of " + length + " bytes");
            require(isStreamed || length <= ContentPool.MAX_LENGTH, "content of " + length + " bytes in one array");
            long digest = all.getLong();
            int keeper = all.getInt();
            boolean isOwn = all.get() == 1;
            Content content =
                    isStreamed ? new FileBlob(path, file, all.capacity(), length, false) : pool.take((int) length);
            parts.add(new StatePart(owner, keeper, isOwn, digest, content));
        }
        require(left == 0, left + " bytes too many");
        return new CheckpointFile(
                CheckpointHeader.id(all),
                ranks & ~(HAS_LOCALS | STREAMED),
                all.getInt(40),
                all.getLong(44),
                (ranks & HAS_LOCALS) != 0,
                parts);
    }

    private static void writeAll(FileChannel out, ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            out.write(from);
        }
    }

    private static void require(boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException("damaged: " + what);
        }
    }
}
