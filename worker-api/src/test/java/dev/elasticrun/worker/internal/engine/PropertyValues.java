/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.ElementType;
import java.util.Arrays;
import java.util.Objects;

/** Arrays of any of the five types, from and to whole numbers. */
final class PropertyValues {
    private PropertyValues() {}

    static Object of(ElementType type, long[] values) {
        switch (type) {
            case INT -> {
                int[] ints = new int[values.length];
                for (int i = 0; i < ints.length; i++) {
                    ints[i] = (int) values[i];
                }
                return ints;
            }
            case LONG -> {
                return values.clone();
            }
            case FLOAT -> {
                float[] floats = new float[values.length];
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = values[i];
                }
                return floats;
            }
            case DOUBLE -> {
                double[] doubles = new double[values.length];
                for (int i = 0; i < doubles.length; i++) {
                    doubles[i] = values[i];
                }
                return doubles;
            }
            default -> {
                return bytes(values);
            }
        }
    }

    static long[] longs(Object array) {
        long[] values = new long[java.lang.reflect.Array.getLength(array)];
        if (array instanceof long[] longs) {
            System.arraycopy(longs, 0, values, 0, values.length);
        } else if (array instanceof int[] ints) {
            Arrays.setAll(values, i -> ints[i]);
        } else if (array instanceof float[] floats) {
            Arrays.setAll(values, i -> (long) floats[i]);
        } else if (array instanceof double[] doubles) {
            Arrays.setAll(values, i -> (long) doubles[i]);
        } else {
            byte[] bytes = (byte[]) array;
            Arrays.setAll(values, i -> bytes[i]);
        }
        return values;
    }

    static byte[] bytes(long[] values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    static boolean isSame(Object one, Object other) {
        return Objects.deepEquals(one, other);
    }
}
