/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The beginning of a checkpoint file, big endian:
 *
 * <pre>
 *  0  8 bytes   ELRCKPT3
 *  8  int32     bytes of the incarnation, I
 * 12  int64     world
 * 20  int64     version
 * 28  int64     digest
 * 36  int32     ranks of that world; the highest bit is set if the checkpoint has local states, the next one
 *                     if the contents are to be read as streams
 * 40  int32     rank of the process that wrote it; -1 = does not matter
 * 44  int64     world in which that and the keepers are ranks
 * 52  int32     parts, P
 * 56  I bytes   incarnation, UTF-8
 *     P times   int32 owner (-1 = global), int64 bytes, int64 digest, int32 keeper, int8 1 = it is the keeper's own
 *     int32     CRC32C of all bytes before
 * </pre>
 */
public final class CheckpointHeader {
    /** Bytes before the incarnation. */
    public static final int FIXED = 56;
    /** Bytes of one part's description. */
    public static final int PART = 25;

    private static final byte[] MAGIC = "ELRCKPT3".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_INCARNATION = 1024;
    private static final int MAX_PARTS = 1 << 16;

    private CheckpointHeader() {}

    /** What every file begins with. */
    public static byte[] magic() {
        return MAGIC.clone();
    }

    /**
     * Reads a whole header; its position is then before the checksum, which holds.
     *
     * @throws IOException which states what is damaged
     */
    public static ByteBuffer read(FileChannel in) throws IOException {
        ByteBuffer fixed = ByteBuffer.allocate(FIXED);
        readFully(in, fixed);
        fixed.flip();
        byte[] magic = new byte[MAGIC.length];
        fixed.get(magic);
        require(Arrays.equals(MAGIC, magic), "not a checkpoint of version 3");
        int name = fixed.getInt();
        int count = fixed.getInt(FIXED - Integer.BYTES);
        require(name >= 0 && name <= MAX_INCARNATION && count >= 0 && count <= MAX_PARTS, "header");
        ByteBuffer all = ByteBuffer.allocate(FIXED + name + count * PART + Integer.BYTES);
        all.put(fixed.rewind());
        readFully(in, all);
        all.position(all.position() - Integer.BYTES);
        require(all.getInt(all.position()) == crc(all), "checksum of the header");
        return all;
    }

    /** Which checkpoint a file belongs to; throws IOException if its header is damaged. */
    public static CheckpointId readId(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            return id(read(in));
        }
    }

    /** Which checkpoint a header belongs to. */
    public static CheckpointId id(ByteBuffer header) {
        byte[] incarnation = new byte[header.getInt(MAGIC.length)];
        header.get(FIXED, incarnation);
        return new CheckpointId(
                new String(incarnation, StandardCharsets.UTF_8),
                header.getLong(12),
                header.getLong(20),
                header.getLong(28));
    }

    /** Checksum of all bytes before the position. */
    public static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().flip());
        return (int) crc.getValue();
    }

    /** Fills the buffer; throws EOFException if the file is too short. */
    public static void readFully(FileChannel in, ByteBuffer to) throws IOException {
        while (to.hasRemaining()) {
            if (in.read(to) < 0) {
                throw new EOFException("damaged: too short");
            }
        }
    }

    private static void require(boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException("damaged: " + what);
        }
    }
}
