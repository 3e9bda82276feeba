/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a property test's program computes: a number that depends on all results so far, and the worlds that gave them. */
final class PropertyState {
    private final long firstWorld;
    private final int filler;
    private final List<Integer> worlds = new ArrayList<>();
    private long model;

    PropertyState(long firstWorld, long model, int filler) {
        this.firstWorld = firstWorld;
        this.model = model;
        this.filler = filler;
    }

    /** How many workers the run began with. */
    long firstWorld() {
        return firstWorld;
    }

    long model() {
        return model;
    }

    /** How many workers there were in each version. */
    List<Integer> worlds() {
        return worlds;
    }

    int version() {
        return worlds.size();
    }

    /** The state changes here and nowhere else. */
    void add(long newModel, int world) {
        model = newModel;
        worlds.add(world);
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES * (1 + worlds.size()) + filler);
        out.putLong(firstWorld).putLong(model).putInt(worlds.size());
        worlds.forEach(out::putInt);
        byte[] fill = new byte[filler];
        Arrays.fill(fill, (byte) worlds.size());
        out.put(fill);
        return out.array();
    }

    static PropertyState decode(byte[] content, int filler) {
        ByteBuffer in = ByteBuffer.wrap(content);
        PropertyState state = new PropertyState(in.getLong(), in.getLong(), filler);
        for (int i = in.getInt(); i > 0; i--) {
            state.worlds.add(in.getInt());
        }
        PropertyProgram.require(in.remaining() == filler, "restored " + in.remaining() + " bytes of filler");
        while (in.hasRemaining()) {
            PropertyProgram.require(in.get() == (byte) state.version(), "filler at " + in.position());
        }
        return state;
    }
}
