/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The worker's end of its {@link Heartbeat}. A sign of progress is a store or two. The program's thread writes progress
 * and sections, another one what it sees of it.
 */
public final class HeartbeatWriter {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer map;
    private final List<String> sections = new ArrayList<>();
    private long beats;
    private long looks;

    private HeartbeatWriter(ByteBuffer map) {
        this.map = map;
    }

    /** Makes the file, in full before it has its name. */
    public static HeartbeatWriter create(Path file) throws IOException {
        ByteBuffer initial = ByteBuffer.allocate(Heartbeat.SIZE).order(ByteOrder.nativeOrder());
        initial.put(Heartbeat.MAGIC).putLong(Heartbeat.KIND, 1).rewind();
        return new HeartbeatWriter(SharedFile.create(file, initial));
    }

    /** A sign of progress. */
    public void beat() {
        LONGS.setOpaque(map, Heartbeat.BEATS, ++beats);
    }

    /** A sign of progress, with the step that the program is at. */
    public void beat(long step) {
        LONGS.setOpaque(map, Heartbeat.STEP, step);
        beat();
    }

    /**
     * The same of a program that knows how many steps there will be.
     *
     * @param total 0 = not known
     */
    public void beat(long step, long total) {
        LONGS.setOpaque(map, Heartbeat.TOTAL, total);
        beat(step);
    }

    /** This checkpoint was completed; no sign of progress by itself. */
    public void version(long version) {
        LONGS.setOpaque(map, Heartbeat.VERSION, version);
    }

    /** Signs of progress so far; callable by any thread. */
    public long beats() {
        return (long) LONGS.getOpaque(map, Heartbeat.BEATS);
    }

    public void thread(String name) {
        put(Heartbeat.THREAD, name);
    }

    /**
     * The program is in this section from now on.
     *
     * @param name empty = in none; sections beyond {@link Heartbeat#MAX_SECTIONS} names are as good as none
     * @param limitNanos 0 = to be learned
     */
    public void section(String name, long limitNanos) {
        section(name, limitNanos, 0);
    }

    /**
     * The same of a section in which the program may wait for its peers by other means than this library.
     *
     * @param peerRound round whose workers the program may wait for in it; 0 = none
     */
    public void section(String name, long limitNanos, long peerRound) {
        LONGS.setOpaque(map, Heartbeat.PEER_ROUND, peerRound);
        LONGS.setOpaque(map, Heartbeat.LIMIT, limitNanos);
        LONGS.setOpaque(map, Heartbeat.SECTION, number(name));
        beat();
    }

    /** Records a check of the program's thread. */
    public void look(boolean waits) {
        LONGS.setOpaque(map, Heartbeat.WAITS, waits ? 1L : 0L);
        LONGS.setOpaque(map, Heartbeat.LOOKS, ++looks);
    }

    private long number(String name) {
        if (name.isEmpty()) {
            return 0;
        }
        int known = sections.indexOf(name);
        if (known < 0 && sections.size() < Heartbeat.MAX_SECTIONS) {
            known = sections.size();
            sections.add(name);
            put(Heartbeat.NAMES + Heartbeat.NAME_SIZE * known, name);
        }
        return known + 1L;
    }

    private void put(int at, String name) {
        byte[] bytes = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), Heartbeat.NAME_SIZE);
        bytes[Heartbeat.MAX_NAME] = 0;
        map.put(at, bytes);
    }
}
