/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The file {@code head} of a channel directory: what a worker must know at every step, in shared memory, so that
 * looking costs no system call. Native byte order; both sides are on one host.
 *
 * <pre>
 *  0  8 bytes  the characters ELRHEAD1
 *  8  int64    round of the newest event
 * 16  int64    sequence number of the newest event; stored last, with release
 * 24  int64    1 = HEALTHY, anything else = PAUSED
 * 32  int64    lease deadline, CLOCK_MONOTONIC nanoseconds; Long.MAX_VALUE = none
 * 40  int64    newest round of the run that the agent has received, with or without the worker; 0 = none
 * 48  16 bytes zero
 * </pre>
 *
 * <p>A reader of a sequence number sees at least the round and state published with it. Round and state may already be
 * those of the next event: they show <em>that</em> something changed, the event file contains what. One thread writes.
 */
public final class Head implements AutoCloseable {
    public static final int SIZE = 64;

    private static final byte[] MAGIC = "ELRHEAD1".getBytes(StandardCharsets.US_ASCII);
    private static final int ROUND = 8;
    private static final int SEQ = 16;
    private static final int STATE = 24;
    private static final int DEADLINE = 32;
    private static final int SEALED_ROUND = 40;
    private static final long HEALTHY = 1;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer map;

    private Head(ByteBuffer map) {
        this.map = map;
    }

    /** For the agent: writes the file in full, so that a later store cannot find the disk full, and maps it. */
    public static Head create(Path file) throws IOException {
        ByteBuffer initial = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        initial.put(MAGIC).putLong(DEADLINE, Long.MAX_VALUE).rewind();
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            while (initial.hasRemaining()) {
                channel.write(initial);
            }
            return new Head(channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
        }
    }

    /** For the worker: maps the file read-only. */
    public static Head open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() != SIZE) {
                throw new IOException(file + ": size " + channel.size() + " (expected: " + SIZE + ")");
            }
            ByteBuffer map = channel.map(FileChannel.MapMode.READ_ONLY, 0, SIZE);
            byte[] magic = new byte[MAGIC.length];
            map.get(0, magic);
            if (!Arrays.equals(magic, MAGIC)) {
                throw new IOException(file + ": not a head file of version 1");
            }
            return new Head(map);
        }
    }

    /** Call after the event's file has its final name. */
    public void publish(long round, long seq, WorkerState state) {
        LONGS.setOpaque(map, ROUND, round);
        LONGS.setOpaque(map, STATE, state == WorkerState.HEALTHY ? HEALTHY : 0);
        LONGS.setRelease(map, SEQ, seq);
    }

    /**
     * From this moment on the worker behaves as paused.
     *
     * @param monotonicNanos as {@link System#nanoTime()}, which processes of one host can compare; {@link
     *     Long#MAX_VALUE} = never
     */
    public void leaseDeadline(long monotonicNanos) {
        LONGS.setRelease(map, DEADLINE, monotonicNanos);
    }

    /** Publishes the newest round of the run; events specify how it concerns the worker. */
    public void sealedRound(long round) {
        LONGS.setRelease(map, SEALED_ROUND, round);
    }

    public long round() {
        return (long) LONGS.getAcquire(map, ROUND);
    }

    /** 0 until the first event. */
    public long seq() {
        return (long) LONGS.getAcquire(map, SEQ);
    }

    /** PAUSED until the first event. */
    public WorkerState state() {
        return (long) LONGS.getAcquire(map, STATE) == HEALTHY ? WorkerState.HEALTHY : WorkerState.PAUSED;
    }

    public long leaseDeadlineNanos() {
        return (long) LONGS.getAcquire(map, DEADLINE);
    }

    /**
     * The newest round of the run that the agent has received; 0 = none. A worker that is new then has others waiting
     * for it.
     */
    public long sealedRound() {
        return (long) LONGS.getAcquire(map, SEALED_ROUND);
    }

    /** Nothing to release at once: the JDK unmaps when the object is collected, so a late reader cannot crash. */
    @Override
    public void close() {}
}
