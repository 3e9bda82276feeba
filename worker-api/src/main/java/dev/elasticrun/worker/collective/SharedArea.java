/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one worker shows to the others of its node, in files that all of them map: its owner writes, the others read.
 * Little endian.
 *
 * <pre>
 *    0  8 bytes   the characters ELRAREA1
 *    8  int64     token: tells this area from any other
 *  128  int64     signal: how far the owner is; stored with release, never decreases
 * 4096  two slots: 128 bytes for a statement, then {@link #SLOT} bytes of values
 * </pre>
 *
 * <p>Values that do not fit into a slot go to a second file, the region, which its owner replaces by a larger one when it
 * must. Files are written in full before they are mapped: a later store cannot find the disk full. User thread only.
 */
final class SharedArea {
    /** Bytes of values in a slot. */
    static final int SLOT = 256 * 1024;

    static final int STATEMENT = 128;

    private static final int SPACE_SHARE = 8;
    private static final long MAGIC = 0x31414552_41524c45L;
    private static final int TOKEN = 8;
    private static final int SIGNAL = 128;
    private static final int SLOTS = 4096;
    private static final int BYTES = SLOTS + 2 * (STATEMENT + SLOT);
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final long token;
    private final ByteBuffer map;
    private final Memory slots;
    private @Nullable Memory region;
    private long generation;

    private SharedArea(Path file, long token, ByteBuffer map) {
        this.file = file;
        this.token = token;
        this.map = map.order(ByteOrder.LITTLE_ENDIAN);
        this.slots = new Memory(map);
    }

    /** The owner's. */
    static SharedArea create(Path file, long token) throws IOException {
        ByteBuffer map = createMapped(file, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        map.putLong(TOKEN, token);
        LONGS.setRelease(map, 0, MAGIC);
        return new SharedArea(file, token, map);
    }

    /** A peer's. */
    static SharedArea open(Path file, long token) throws IOException {
        ByteBuffer map = openMapped(file, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if ((long) LONGS.getAcquire(map, 0) != MAGIC || map.getLong(TOKEN) != token) {
            throw new IOException(file + ": not the area of that worker");
        }
        return new SharedArea(file, token, map);
    }

    Path file() {
        return file;
    }

    long token() {
        return token;
    }

    long signal() {
        return (long) LONGS.getAcquire(map, SIGNAL);
    }

    /** All that the owner has written is seen by whoever sees the signal. */
    void signal(long value) {
        LONGS.setRelease(map, SIGNAL, value);
    }

    /** Statements and values of both slots. */
    Memory slots() {
        return slots;
    }

    /** Where the statement of slot 0 or 1 is. */
    static int statement(int slot) {
        return SLOTS + slot * (STATEMENT + SLOT);
    }

    /** Where the values of slot 0 or 1 are. */
    static int values(int slot) {
        return statement(slot) + STATEMENT;
    }

    /** 0 = there is no region. */
    long generation() {
        return generation;
    }

    int regionBytes() {
        return region == null ? 0 : region.size();
    }

    Memory region() {
        return Objects.requireNonNull(region, "region");
    }

    /** For the owner: makes room for that many bytes. When that fails, the region is as it was. */
    void grow(int bytes) throws IOException {
        long left = Files.getFileStore(file).getUsableSpace();
        // The others grow at the same moment, and the agent's messages need room, too.
        if (left / SPACE_SHARE < bytes) {
            throw new IOException(file + ": " + left + " bytes left (expected: " + SPACE_SHARE + " times as much)");
        }
        ByteBuffer larger = createMapped(regionFile(generation + 1), bytes);
        if (generation > 0) {
            Files.deleteIfExists(regionFile(generation));
        }
        generation++;
        region = new Memory(larger);
    }

    /** For a peer: follows the owner to a region that it has announced. */
    void follow(long toGeneration, int bytes) throws IOException {
        if (toGeneration != generation) {
            region = new Memory(openMapped(regionFile(toGeneration), bytes));
            generation = toGeneration;
        }
    }

    /** For the owner: later no peer can find it; who has it mapped keeps it. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(regionFile(generation));
    }

    private Path regionFile(long ofGeneration) {
        return file.resolveSibling(file.getFileName() + "." + ofGeneration);
    }

    private static ByteBuffer createMapped(Path file, int bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(64 * 1024);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; ) {
                left -= channel.write(zeros.clear().limit((int) Math.min(zeros.capacity(), left)));
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static ByteBuffer openMapped(Path file, int bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.size() < bytes) {
                throw new IOException(file + ": " + channel.size() + " bytes (expected: " + bytes + ")");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
        }
    }
}
