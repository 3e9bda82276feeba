/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/** All of a result of which the caller gets a part. Keeps one array, grown as needed. */
final class WholeResult {
    private final Region region = new Region();
    private ElementType type = ElementType.NONE;
    private Object array = new byte[0];
    private int capacity;

    /** As many elements as the values have, whatever they are. */
    Region region(Region values) {
        if (type != values.type() || capacity < values.count()) {
            type = values.type();
            capacity = values.count();
            array = type.newArray(capacity);
        }
        return region.set(type, array, capacity, 0, values.count());
    }

    Region copyOf(Region values) {
        Region copy = region(values);
        values.load(0, array, 0, values.count());
        return copy;
    }

    /** Copies the part that begins there. */
    void store(int from, Region part) {
        part.store(0, array, from, part.count());
    }
}
