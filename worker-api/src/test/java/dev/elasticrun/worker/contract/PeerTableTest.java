/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PeerTableTest {

    @Test
    void encode_roundTrip_isEqualAndReadable() {
        PeerTable table = new PeerTable(
                7,
                List.of(new PeerTable.Peer(0, "a-1", "host", 1), new PeerTable.Peer(1, "b-2", "fe80::1%eth0", 65535)));
        assertThat(new String(table.encode(), StandardCharsets.UTF_8))
                .isEqualTo("peers 1 7 2\n0 a-1 host 1\n1 b-2 fe80::1%eth0 65535\n");
        assertThat(PeerTable.decode(table.encode())).isEqualTo(table);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | line 1",
                "peers 2 7 0 | line 1",
                "peers 1 x 0 | line 1: x (expected: a number)",
                "peers 1 7 2;0 a h 1 | lines: 1 ranks (expected: 2)",
                "peers 1 7 1;1 a h 1 | rank: 1 (expected: 0)",
                "peers 1 7 1;0 a h | line 2",
                "peers 1 7 1;0 a h 0 | port: 0",
                "peers 1 7 1;0 a h y | line 2: y",
                "peers 1 7 1;0 a  1 | host"
            })
    void decode_damaged_namesTheLine(String text, String message) {
        byte[] bytes = text.replace(';', '\n').getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> PeerTable.decode(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
