/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Bytes of a buffer, little endian, seen as runs of each element type. The views are made once: copying allocates
 * nothing. Places are in bytes and multiples of the type's width.
 */
public final class Memory {
    private final ByteBuffer bytes;
    private final IntBuffer ints;
    private final LongBuffer longs;
    private final FloatBuffer floats;
    private final DoubleBuffer doubles;

    /** All of the buffer, from its position to its limit. */
    public Memory(ByteBuffer buffer) {
        this.bytes = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
        this.ints = bytes.asIntBuffer();
        this.longs = bytes.asLongBuffer();
        this.floats = bytes.asFloatBuffer();
        this.doubles = bytes.asDoubleBuffer();
    }

    static Memory allocate(int size) {
        return new Memory(ByteBuffer.allocateDirect(size));
    }

    /** All bytes, from 0; its position and limit are the user's. */
    public ByteBuffer bytes() {
        return bytes;
    }

    public int size() {
        return bytes.capacity();
    }

    /** Copies elements of an array of that type to here. */
    void put(ElementType type, int at, Object array, int from, int count) {
        switch (type) {
            case NONE, BYTE -> bytes.put(at, (byte[]) array, from, count);
            case INT -> ints.put(at >> 2, (int[]) array, from, count);
            case LONG -> longs.put(at >> 3, (long[]) array, from, count);
            case FLOAT -> floats.put(at >> 2, (float[]) array, from, count);
            case DOUBLE -> doubles.put(at >> 3, (double[]) array, from, count);
        }
    }

    /** Copies elements from here to an array of that type. */
    void get(ElementType type, int at, Object array, int from, int count) {
        switch (type) {
            case NONE, BYTE -> bytes.get(at, (byte[]) array, from, count);
            case INT -> ints.get(at >> 2, (int[]) array, from, count);
            case LONG -> longs.get(at >> 3, (long[]) array, from, count);
            case FLOAT -> floats.get(at >> 2, (float[]) array, from, count);
            case DOUBLE -> doubles.get(at >> 3, (double[]) array, from, count);
        }
    }

    void put(int at, Memory source, int from, int length) {
        bytes.put(at, source.bytes, from, length);
    }
}
