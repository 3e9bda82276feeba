/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The file {@code metrics} of a channel directory: the newest values that a program publishes, in shared memory. The worker
 * writes, its agent reads when somebody looks. Native byte order.
 *
 * <pre>
 *    0  8 bytes  the characters ELRMETR1
 *    8  int64    number of metrics
 *   64  64 bytes metric 1, then metric 2, ... metric 63:
 *                 0  float64   newest value
 *                 8  56 bytes  name, UTF-8, ends with zero
 * </pre>
 *
 * <p>A name is written before the number counts it, and never changes.
 */
public final class MetricFile {
    public static final int SIZE = 4096;
    public static final int MAX_METRICS = 63;
    /** Bytes in UTF-8. */
    public static final int MAX_NAME = 55;

    static final byte[] MAGIC = "ELRMETR1".getBytes(StandardCharsets.US_ASCII);
    static final int COUNT = 8;
    static final int ENTRIES = 64;
    static final int ENTRY_SIZE = 64;
    static final int NAME = 8;

    private MetricFile() {}

    /**
     * A metric and its newest value.
     *
     * @param value any, not a number and infinite ones included
     */
    public record Metric(String name, double value) {}

    /** In the order in which the program published them first. Throws IllegalArgumentException that names the fault. */
    public static List<Metric> decode(byte[] file) {
        if (file.length != SIZE || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException("metrics: not a file of version 1");
        }
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.nativeOrder());
        long count = bytes.getLong(COUNT);
        if (count < 0 || count > MAX_METRICS) {
            throw new IllegalArgumentException("metrics: " + count + " (expected: 0 to " + MAX_METRICS + ")");
        }
        List<Metric> metrics = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int at = at(number);
            metrics.add(new Metric(name(file, at + NAME), bytes.getDouble(at)));
        }
        return metrics;
    }

    static int at(int number) {
        return ENTRIES + ENTRY_SIZE * number;
    }

    private static String name(byte[] file, int at) {
        int end = at;
        while (end < at + MAX_NAME && file[end] != 0) {
            end++;
        }
        return new String(file, at, end - at, StandardCharsets.UTF_8);
    }
}
