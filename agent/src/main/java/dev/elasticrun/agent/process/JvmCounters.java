/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Reads the counters that a JVM of HotSpot keeps in a shared file, unless it was started with {@code -XX:-UsePerfData}:
 * nothing runs in that JVM for it. The file is that of {@code jstat}, of version 2: a head, and entries one after the
 * other, each with its length, the place of its name, and the place of its value (OpenJDK, {@code perfMemory.hpp}).
 */
public final class JvmCounters {
    /** Of the file, at most. */
    public static final int MAX_SIZE = 1 << 20;

    private static final int MAGIC = 0xcafec0c0;
    private static final int ORDER_AT = 4;
    private static final int MAJOR_AT = 5;
    private static final int FIRST_AT = 24;
    private static final int COUNT_AT = 28;
    private static final int MAX_ENTRIES = 10_000;
    private static final int VALUE_OFFSET = 16;
    private static final String COLLECTOR = "sun.gc.collector.";
    private static final String FREQUENCY = "sun.os.hrt.frequency";

    private JvmCounters() {}

    /**
     * The time that all collectors of the JVM have taken so far.
     *
     * @param file what the file contains
     * @return empty = it is no such file, or is not complete yet
     */
    public static OptionalLong collectionMillis(byte[] file) {
        try {
            return sum(ByteBuffer.wrap(file));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException damaged) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong sum(ByteBuffer file) {
        if (file.getInt(0) != MAGIC || file.get(MAJOR_AT) != 2) {
            return OptionalLong.empty();
        }
        file.order(file.get(ORDER_AT) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        long ticks = -1;
        long frequency = 0;
        int at = file.getInt(FIRST_AT);
        int count = Math.min(MAX_ENTRIES, file.getInt(COUNT_AT));
        for (int entry = 0; entry < count; entry++) {
            String name = name(file, at + file.getInt(at + Integer.BYTES));
            if (name.equals(FREQUENCY)) {
                frequency = value(file, at);
            } else if (name.startsWith(COLLECTOR) && name.endsWith(".time")) {
                ticks = Math.max(0, ticks) + value(file, at);
            }
            at += file.getInt(at);
        }
        return ticks < 0 || frequency <= 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.round((double) ticks / frequency * TimeUnit.SECONDS.toMillis(1)));
    }

    private static long value(ByteBuffer file, int entry) {
        return file.getLong(entry + file.getInt(entry + VALUE_OFFSET));
    }

    private static String name(ByteBuffer file, int at) {
        int end = at;
        while (file.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[end - at];
        file.get(at, name);
        return new String(name, StandardCharsets.ISO_8859_1);
    }
}
