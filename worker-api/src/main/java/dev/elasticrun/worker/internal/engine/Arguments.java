/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.internal.exchange.Region;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Checks the arrays that a program passes, and which part of them belongs to which rank. */
public final class Arguments {
    private final int rank;
    private final int worldSize;
    private final int[] equal;

    public Arguments(int rank, int worldSize) {
        this.rank = rank;
        this.worldSize = worldSize;
        this.equal = new int[worldSize + 1];
    }

    public static void set(Region region, Object array) {
        set(region, array, 0, java.lang.reflect.Array.getLength(array));
    }

    public static void set(Region region, Object array, int offset, int length) {
        if (array instanceof double[] doubles) {
            region.set(doubles, offset, length);
        } else if (array instanceof float[] floats) {
            region.set(floats, offset, length);
        } else if (array instanceof long[] longs) {
            region.set(longs, offset, length);
        } else if (array instanceof int[] ints) {
            region.set(ints, offset, length);
        } else if (array instanceof byte[] bytes) {
            region.set(bytes, offset, length);
        } else {
            throw new IllegalArgumentException("values: " + array.getClass().getTypeName()
                    + " (expected: an array of byte, int, long, float or double)");
        }
    }

    public static void set(Region region, ByteBuffer values, ElementType type) {
        if (!values.isDirect() || type == ElementType.NONE) {
            throw new IllegalArgumentException(
                    "values: " + values + " of type " + type + " (expected: a direct buffer)");
        }
        region.set(type, values);
    }

    /** Bounds of equal parts, valid until the next call. */
    public int[] equal(Region part, Region whole) {
        if (part.type() != whole.type() || (long) part.count() * worldSize != whole.count()) {
            throw new IllegalArgumentException("length: " + whole.count() + " of type "
                    + whole.type().word() + " (expected: " + worldSize + " times " + part.count() + " of type "
                    + part.type().word() + ", one part for each rank)");
        }
        for (int each = 0; each <= worldSize; each++) {
            equal[each] = each * part.count();
        }
        return equal;
    }

    public void require(int[] bounds, Region part, Region whole) {
        require(bounds, whole);
        int expected = bounds[rank + 1] - bounds[rank];
        if (part.type() != whole.type() || part.count() != expected) {
            throw new IllegalArgumentException("mine: " + part.count() + " of type "
                    + part.type().word() + " (expected: " + expected + " of type "
                    + whole.type().word() + ")");
        }
    }

    public void require(int[] bounds, Region whole) {
        boolean isValid = bounds.length == worldSize + 1 && bounds[0] == 0 && bounds[worldSize] == whole.count();
        for (int each = 0; isValid && each < worldSize; each++) {
            isValid = bounds[each] <= bounds[each + 1];
        }
        if (!isValid) {
            throw new IllegalArgumentException("bounds: " + Arrays.toString(bounds) + " (expected: " + (worldSize + 1)
                    + " ascending numbers from 0 to " + whole.count() + ")");
        }
    }
}
