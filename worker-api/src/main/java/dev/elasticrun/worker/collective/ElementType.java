/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Types that travel; the wire order is little endian. */
enum ElementType {
    NONE(0, 1, "") {
        @Override
        void reduce(ReduceOp op, ByteBuffer into, ByteBuffer other) {
            throw new UnsupportedOperationException("nothing to reduce");
        }
    },
    BYTE(1, 1, "byte") {
        @Override
        void reduce(ReduceOp op, ByteBuffer into, ByteBuffer other) {
            throw new UnsupportedOperationException("bytes are not reduced");
        }
    },
    INT(2, Integer.BYTES, "int") {
        @Override
        void reduce(ReduceOp op, ByteBuffer into, ByteBuffer other) {
            IntBuffer a = into.asIntBuffer();
            IntBuffer b = other.asIntBuffer();
            for (int i = 0; i < a.limit(); i++) {
                a.put(i, op.apply(a.get(i), b.get(i)));
            }
        }
    },
    LONG(3, Long.BYTES, "long") {
        @Override
        void reduce(ReduceOp op, ByteBuffer into, ByteBuffer other) {
            LongBuffer a = into.asLongBuffer();
            LongBuffer b = other.asLongBuffer();
            for (int i = 0; i < a.limit(); i++) {
                a.put(i, op.apply(a.get(i), b.get(i)));
            }
        }
    },
    FLOAT(4, Float.BYTES, "float") {
        @Override
        void reduce(ReduceOp op, ByteBuffer into, ByteBuffer other) {
            FloatBuffer a = into.asFloatBuffer();
            FloatBuffer b = other.asFloatBuffer();
            for (int i = 0; i < a.limit(); i++) {
                a.put(i, op.apply(a.get(i), b.get(i)));
            }
        }
    },
    DOUBLE(5, Double.BYTES, "double") {
        @Override
        void reduce(ReduceOp op, ByteBuffer into, ByteBuffer other) {
            DoubleBuffer a = into.asDoubleBuffer();
            DoubleBuffer b = other.asDoubleBuffer();
            for (int i = 0; i < a.limit(); i++) {
                a.put(i, op.apply(a.get(i), b.get(i)));
            }
        }
    };

    private final int code;
    private final int width;
    private final String word;

    ElementType(int code, int width, String word) {
        this.code = code;
        this.width = width;
        this.word = word;
    }

    /** On the wire. */
    int code() {
        return code;
    }

    int width() {
        return width;
    }

    String word() {
        return word;
    }

    /** Combines all of {@code into}, from its position to its limit, with as much of {@code other}. */
    abstract void reduce(ReduceOp op, ByteBuffer into, ByteBuffer other);
}
