/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/** Types of the values that ranks exchange; in buffers and on the wire the order is little endian. */
public enum ElementType {
    /** No values: an operation that only meets. */
    NONE(0, 1, ""),
    BYTE(1, Byte.BYTES, "byte"),
    INT(2, Integer.BYTES, "int"),
    LONG(3, Long.BYTES, "long"),
    FLOAT(4, Float.BYTES, "float"),
    DOUBLE(5, Double.BYTES, "double");

    private final int code;
    private final int width;
    private final String word;

    ElementType(int code, int width, String word) {
        this.code = code;
        this.width = width;
        this.word = word;
    }

    /** On the wire. */
    public int code() {
        return code;
    }

    /** Bytes of one element. */
    public int width() {
        return width;
    }

    public String word() {
        return word;
    }

    public Object newArray(int count) {
        return switch (this) {
            case NONE, BYTE -> new byte[count];
            case INT -> new int[count];
            case LONG -> new long[count];
            case FLOAT -> new float[count];
            case DOUBLE -> new double[count];
        };
    }
}
