/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The committed checkpoints of a node on disk or tmpfs: two files, {@code 0} and {@code 1}; a version goes to the one
 * named by its parity, so the newest but one stays whole while the newest is written. Big endian:
 *
 * <pre>
 *  0  8 bytes  ELRCKPT1
 *  8  int32    bytes of the incarnation, I
 * 12  int64    world
 * 20  int64    version
 * 28  int64    digest
 * 36  int64    bytes of the content
 * 44  int32    CRC32C of the content
 * 48  I bytes  incarnation, UTF-8
 *     int32    CRC32C of all bytes before
 *     content
 * </pre>
 */
final class CheckpointFile {
    private static final byte[] MAGIC = "ELRCKPT1".getBytes(StandardCharsets.US_ASCII);
    private static final int FIXED = 48;
    private static final int MAX_INCARNATION = 1024;

    private CheckpointFile() {}

    static void write(Path directory, CheckpointId id, byte[] content) throws IOException {
        Files.createDirectories(directory);
        String name = Long.toString(id.version() & 1);
        Path temporary = directory.resolve(name + ".tmp");
        try (FileChannel out = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer[] parts = {header(id, content), ByteBuffer.wrap(content)};
            while (parts[1].hasRemaining() || parts[0].hasRemaining()) {
                out.write(parts);
            }
        }
        Files.move(
                temporary,
                directory.resolve(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** The whole ones of this incarnation, newest first. Damaged and foreign files are as if they were not there. */
    static List<Checkpoint> read(Path directory, String incarnation) {
        List<Checkpoint> found = new ArrayList<>();
        for (String name : List.of("0", "1")) {
            try {
                Checkpoint checkpoint = decode(Files.readAllBytes(directory.resolve(name)));
                if (checkpoint.id().incarnation().equals(incarnation)) {
                    found.add(checkpoint);
                }
            } catch (NoSuchFileException e) {
                // No checkpoint yet.
            } catch (IOException e) {
                System.getLogger(CheckpointFile.class.getName())
                        .log(System.Logger.Level.WARNING, directory.resolve(name) + " ignored: " + e.getMessage());
            }
        }
        found.sort((a, b) -> Long.compare(b.id().version(), a.id().version()));
        return found;
    }

    private static ByteBuffer header(CheckpointId id, byte[] content) {
        byte[] incarnation = id.incarnation().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(FIXED + incarnation.length + Integer.BYTES);
        out.put(MAGIC).putInt(incarnation.length);
        out.putLong(id.world()).putLong(id.version()).putLong(id.digest());
        out.putLong(content.length).putInt(crc(content, 0, content.length));
        out.put(incarnation);
        out.putInt(crc(out.array(), 0, out.position()));
        return out.flip();
    }

    static Checkpoint decode(byte[] file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(file);

        require(file.length >= FIXED + Integer.BYTES, "too short");
        byte[] magic = new byte[MAGIC.length];
        in.get(magic);
        require(Arrays.equals(MAGIC, magic), "not a checkpoint of version 1");
        int length = in.getInt();
        require(length >= 0 && length <= MAX_INCARNATION && FIXED + length + Integer.BYTES <= file.length, "header");
        require(in.getInt(FIXED + length) == crc(file, 0, FIXED + length), "header checksum");
        long world = in.getLong();
        long version = in.getLong();
        long digest = in.getLong();
        long bytes = in.getLong();
        int crc = in.getInt();
        int start = FIXED + length + Integer.BYTES;
        require(bytes == file.length - start, "content is " + (file.length - start) + " bytes, not " + bytes);
        require(crc == crc(file, start, (int) bytes), "content checksum");
        String incarnation = new String(file, FIXED, length, StandardCharsets.UTF_8);
        byte[] content = new byte[(int) bytes];
        System.arraycopy(file, start, content, 0, content.length);
        return new Checkpoint(new CheckpointId(incarnation, world, version, digest), content);
    }

    private static void require(boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException("damaged: " + what);
        }
    }

    private static int crc(byte[] bytes, int start, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, start, length);
        return (int) crc.getValue();
    }
}
