/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostNamesTest {
    private final HostNames names = HostNames.of(List.of("Node-1", "node-1.cluster"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "127.0.0.1",
                "10.1.2.3:80",
                "[::1]:8080",
                "[fe80::1%eth0]",
                "node-1:9100",
                "node-1.cluster"
            })
    void admits_ownNamesAndAddresses(String header) {
        assertThat(names.admits(header)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "example.org", "example.org:8080", "localhost.example.org", "127.0.0.1.example.org", "node-2"
            })
    void admits_aForeignName_doesNot(String header) {
        assertThat(names.admits(header)).isFalse();
    }
}
