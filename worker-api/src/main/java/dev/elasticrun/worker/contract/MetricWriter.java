/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The worker's end of its {@link MetricFile}. A value is a store to shared memory. Any thread may write. */
public final class MetricWriter {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle DOUBLES =
            MethodHandles.byteBufferViewVarHandle(double[].class, ByteOrder.nativeOrder());

    private final ByteBuffer map;
    /** Where the value of a metric is. */
    private final Map<String, Integer> places = new ConcurrentHashMap<>();

    private MetricWriter(ByteBuffer map) {
        this.map = map;
    }

    /** Makes the file, in full before it has its name. */
    public static MetricWriter create(Path file) throws IOException {
        ByteBuffer initial =
                ByteBuffer.allocate(MetricFile.SIZE).put(MetricFile.MAGIC).rewind();
        return new MetricWriter(SharedFile.create(file, initial));
    }

    /**
     * Publishes a value; an earlier one of that name is replaced.
     *
     * @throws IllegalArgumentException when the name is blank, has control characters or more than
     *     {@value MetricFile#MAX_NAME} bytes, or when there are {@value MetricFile#MAX_METRICS} others
     */
    public void put(String name, double value) {
        Integer place = places.get(name);
        DOUBLES.setOpaque(map, place == null ? add(name) : place, value);
    }

    private synchronized int add(String name) {
        Integer known = places.get(name);
        if (known != null) {
            return known;
        }
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl) || bytes.length > MetricFile.MAX_NAME) {
            throw new IllegalArgumentException("metric: '" + name + "' (expected: a name of at most "
                    + MetricFile.MAX_NAME + " bytes, without control characters)");
        }
        int number = places.size();
        if (number == MetricFile.MAX_METRICS) {
            throw new IllegalArgumentException(
                    "metric: '" + name + "' (expected: one of at most " + number + " names, all of which are used)");
        }
        int at = MetricFile.at(number);
        DOUBLES.setOpaque(map, at, Double.NaN);
        map.put(at + MetricFile.NAME, bytes);
        LONGS.setRelease(map, MetricFile.COUNT, number + 1L);
        places.put(name, at);
        return at;
    }
}
