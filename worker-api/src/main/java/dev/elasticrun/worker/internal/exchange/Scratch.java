/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ElementType;
import java.util.EnumMap;
import java.util.Map;

/** Where values are combined: one direct buffer, grown as needed, and short arrays. Used by the user thread only. */
public final class Scratch {
    /** Bytes of an array: two of them and what they are copied from stay in a core's first cache. */
    static final int RUN_BYTES = 8 * 1024;

    private Memory memory = Memory.allocate(4096);
    private final Map<ElementType, Object> left = new EnumMap<>(ElementType.class);
    private final Map<ElementType, Object> right = new EnumMap<>(ElementType.class);

    /** At least {@code bytes} bytes, with any content. */
    Memory take(int bytes) {
        if (memory.size() < bytes) {
            memory = Memory.allocate(bytes);
        }
        return memory;
    }

    /** Elements that fit into the arrays. */
    static int run(ElementType type) {
        return RUN_BYTES / type.width();
    }

    /** An array of {@link #run} elements. */
    Object left(ElementType type) {
        return array(left, type);
    }

    /** Another one. */
    Object right(ElementType type) {
        return array(right, type);
    }

    /** Combines values with as many others; the first are then the result. */
    void combine(Combiner combiner, ElementType type, Memory values, int at, Memory others, int bytes) {
        Object into = left(type);
        Object other = right(type);
        for (int done = 0; done < bytes; done += RUN_BYTES) {
            int count = Math.min(RUN_BYTES, bytes - done) / type.width();
            values.get(type, at + done, into, 0, count);
            others.get(type, done, other, 0, count);
            combiner.combine(into, other, count);
            values.put(type, at + done, into, 0, count);
        }
    }

    private static Object array(Map<ElementType, Object> arrays, ElementType type) {
        Object array = arrays.get(type);
        if (array == null) {
            array = type.newArray(run(type));
            arrays.put(type, array);
        }
        return array;
    }
}
