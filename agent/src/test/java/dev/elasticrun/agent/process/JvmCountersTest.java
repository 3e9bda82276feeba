/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class JvmCountersTest {
    private static final int ENTRY = 64;
    private static final int VALUE = 56;
    private static final int NAME = 20;
    private static final int HEADER = 32;

    @Test
    void collectionMillis_allCollectors_areOneSum() {
        byte[] file = file(Map.of(
                "java.cls.loadedClasses", 7L,
                "sun.gc.collector.0.time", 1_500_000_000L,
                "sun.gc.collector.1.time", 500_000_000L,
                "sun.os.hrt.frequency", 1_000_000_000L));

        assertThat(JvmCounters.collectionMillis(file)).hasValue(2000);
    }

    @Test
    void collectionMillis_noneSoFar_isZero() {
        byte[] file = file(Map.of("sun.gc.collector.0.time", 0L, "sun.os.hrt.frequency", 1_000_000_000L));

        assertThat(JvmCounters.collectionMillis(file)).hasValue(0);
    }

    @Test
    void collectionMillis_otherOrDamagedFile_isNotKnown() {
        byte[] file = file(Map.of("sun.gc.collector.0.time", 5L, "sun.os.hrt.frequency", 1L));

        assertThat(JvmCounters.collectionMillis(new byte[0])).isEmpty();
        assertThat(JvmCounters.collectionMillis(new byte[4096])).isEmpty();
        assertThat(JvmCounters.collectionMillis(file(Map.of("java.cls.loadedClasses", 7L))))
                .isEmpty();
        for (int length = 0; length < file.length - ENTRY; length++) {
            assertThat(JvmCounters.collectionMillis(java.util.Arrays.copyOf(file, length)))
                    .isEmpty();
        }
        for (int at = HEADER; at < file.length; at++) {
            byte[] wrong = file.clone();
            wrong[at] = -1;
            assertThat(JvmCounters.collectionMillis(wrong)).isNotNull();
        }
    }

    private static byte[] file(Map<String, Long> counters) {
        ByteBuffer file = ByteBuffer.allocate(HEADER + ENTRY * counters.size());
        file.putInt(0xcafec0c0).put((byte) 1).put((byte) 2);
        file.order(ByteOrder.LITTLE_ENDIAN).putInt(24, HEADER).putInt(28, counters.size());
        int at = HEADER;
        for (Map.Entry<String, Long> counter : new TreeMap<>(counters).entrySet()) {
            file.putInt(at, ENTRY).putInt(at + 4, NAME).put(at + 12, (byte) 'J').putInt(at + 16, VALUE);
            file.put(at + NAME, counter.getKey().getBytes(StandardCharsets.US_ASCII));
            file.putLong(at + VALUE, counter.getValue());
            at += ENTRY;
        }
        return file.array();
    }
}
