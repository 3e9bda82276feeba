/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

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

/**
 * Publishes values of one worker to the others of its node, in a file that all of them map: its owner writes, the
 * others read. Little endian.
 *
 * <pre>
 *    0  8 bytes   the characters ELRAREA3
 *    8  int64     token: identifies this area
 *  128  int64     signal: how far the owner is; stored with release, never decreases
 * 4096  {@link #SLOTS} slots: 128 bytes for a statement, then {@link #SLOT} bytes of values
 * </pre>
 *
 * <p>The file is written in full before it is mapped: a later store cannot find the disk full. User thread only.
 */
final class SharedArea {
    /** Bytes of values in a slot: pieces of that size stay in the processors' second caches. */
    static final int SLOT = 256 * 1024;

    static final int SLOTS = 4;

    private static final int STATEMENT = 128;
    private static final long MAGIC = 0x33414552_41524c45L;
    private static final int TOKEN = 8;
    private static final int SIGNAL = 128;
    private static final int FIRST_SLOT = 4096;

    /** Bytes of all. */
    static final int BYTES = FIRST_SLOT + SLOTS * (STATEMENT + SLOT);

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final long token;
    private final ByteBuffer map;
    private final Memory slots;

    private SharedArea(Path file, long token, ByteBuffer map) {
        this.file = file;
        this.token = token;
        this.map = map;
        this.slots = new Memory(map);
    }

    /** The owner's. */
    static SharedArea create(Path file, long token) throws IOException {
        ByteBuffer map = createMapped(file).order(ByteOrder.LITTLE_ENDIAN);
        map.putLong(TOKEN, token);
        LONGS.setRelease(map, 0, MAGIC);
        return new SharedArea(file, token, map);
    }

    /** A peer's. */
    static SharedArea open(Path file, long token) throws IOException {
        ByteBuffer map = openMapped(file).order(ByteOrder.LITTLE_ENDIAN);
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

    /** Publishes all that the owner has written: a peer that reads the signal also sees the values. */
    void signal(long value) {
        LONGS.setRelease(map, SIGNAL, value);
    }

    /** Statements and values of all slots. */
    Memory slots() {
        return slots;
    }

    /** Where the statement of a slot is. */
    static int statement(int slot) {
        return FIRST_SLOT + slot * (STATEMENT + SLOT);
    }

    /** Where the values of a slot are. */
    static int values(int slot) {
        return statement(slot) + STATEMENT;
    }

    /** Deletes the file, for the owner: no peer can find it later; peers that have it mapped keep it. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    private static ByteBuffer createMapped(Path file) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(64 * 1024);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (long left = BYTES; left > 0; ) {
                left -= channel.write(zeros.clear().limit((int) Math.min(zeros.capacity(), left)));
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static ByteBuffer openMapped(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.size() < BYTES) {
                throw new IOException(file + ": " + channel.size() + " bytes (expected: " + BYTES + ")");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES);
        }
    }
}
