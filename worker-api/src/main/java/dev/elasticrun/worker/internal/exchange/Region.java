/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ElementType;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The caller's values: part of an array, or a direct buffer. Counts and places are in elements, unless stated in
 * bytes. Can be set anew for each call, so that a call need not allocate one.
 */
public final class Region {
    private ElementType type = ElementType.NONE;
    private int count;
    private int offset;
    private @Nullable Object array;
    private @Nullable Memory memory;
    private boolean isSpare;

    static Region of(byte[] values) {
        return new Region().set(values, 0, values.length);
    }

    public Region set(byte[] values, int from, int length) {
        return set(ElementType.BYTE, values, values.length, from, length);
    }

    public Region set(int[] values, int from, int length) {
        return set(ElementType.INT, values, values.length, from, length);
    }

    public Region set(long[] values, int from, int length) {
        return set(ElementType.LONG, values, values.length, from, length);
    }

    public Region set(float[] values, int from, int length) {
        return set(ElementType.FLOAT, values, values.length, from, length);
    }

    public Region set(double[] values, int from, int length) {
        return set(ElementType.DOUBLE, values, values.length, from, length);
    }

    /** Elements in little endian order, from the buffer's position to its limit; the buffer is not changed. */
    public Region set(ElementType elements, ByteBuffer direct) {
        if (direct.remaining() % elements.width() != 0) {
            throw new IllegalArgumentException("remaining: " + direct.remaining() + " (expected: a multiple of "
                    + elements.width() + ", as a " + elements.word() + " has so many bytes)");
        }
        set(elements, new Memory(direct), 0, direct.remaining() / elements.width());
        isSpare = false;
        return this;
    }

    /**
     * Elements from a place, in bytes, of memory of the collective's own: a multiple of the type's width. When an operation
     * breaks off they may be anything.
     */
    public Region set(ElementType elements, Memory values, int byteAt, int length) {
        memory = values;
        array = null;
        type = elements;
        offset = byteAt / elements.width();
        count = length;
        isSpare = true;
        return this;
    }

    public Region set(ElementType elements, Object values, int capacity, int from, int length) {
        Objects.checkFromIndexSize(from, length, capacity);
        if ((long) length * elements.width() > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    "length: " + length + " (expected: at most " + (Integer.MAX_VALUE - 8) / elements.width() + ")");
        }
        array = values;
        memory = null;
        type = elements;
        offset = from;
        count = length;
        isSpare = false;
        return this;
    }

    /** Some elements of another one. */
    Region part(Region of, int from, int length) {
        Objects.checkFromIndexSize(from, length, of.count);
        array = of.array;
        memory = of.memory;
        isSpare = of.isSpare;
        type = of.type;
        offset = of.offset + from;
        count = length;
        return this;
    }

    public ElementType type() {
        return type;
    }

    public int count() {
        return count;
    }

    /** Whether its content is of no use after an operation that broke off. */
    boolean isSpare() {
        return isSpare;
    }

    public int bytes() {
        return count * type.width();
    }

    /** Copies elements to an array of the same type. */
    void load(int from, Object into, int at, int length) {
        if (array != null) {
            System.arraycopy(array, offset + from, into, at, length);
        } else if (memory != null) {
            memory.get(type, (offset + from) * type.width(), into, at, length);
        }
    }

    /** Copies elements from an array of the same type. */
    public void store(int from, Object values, int at, int length) {
        if (array != null) {
            System.arraycopy(values, at, array, offset + from, length);
        } else if (memory != null) {
            memory.put(type, (offset + from) * type.width(), values, at, length);
        }
    }

    /** Copies elements to a place, in bytes, of the memory. */
    void copyTo(int from, Memory into, int byteAt, int length) {
        if (array != null) {
            into.put(type, byteAt, array, offset + from, length);
        } else if (memory != null) {
            into.put(byteAt, memory, (offset + from) * type.width(), length * type.width());
        }
    }

    /** Copies elements from a place, in bytes, of the memory. */
    void copyFrom(int from, Memory source, int byteAt, int length) {
        if (array != null) {
            source.get(type, byteAt, array, offset + from, length);
        } else if (memory != null) {
            memory.put((offset + from) * type.width(), source, byteAt, length * type.width());
        }
    }

    /** All bytes, little endian. */
    public byte[] toBytes() {
        byte[] bytes = new byte[bytes()];
        Memory copy = new Memory(ByteBuffer.wrap(bytes));
        copyTo(0, copy, 0, count);
        return bytes;
    }

    /** Overwrites all elements with bytes that {@link #toBytes} made of a region of the same type and count. */
    public void setBytes(byte[] bytes) {
        if (bytes.length != bytes()) {
            throw new IllegalArgumentException("bytes: " + bytes.length + " (expected: " + bytes() + ")");
        }
        copyFrom(0, new Memory(ByteBuffer.wrap(bytes)), 0, count);
    }
}
