/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ListenAddressTest {
    @ParameterizedTest
    @CsvSource({
        "0, 127.0.0.1:0",
        "9100, 127.0.0.1:9100",
        "0.0.0.0:80, 0.0.0.0:80",
        "host-1.cluster:8080, host-1.cluster:8080",
        "[::1]:65535, [::1]:65535",
    })
    void parse_portWithOrWithoutHost_isUnderstood(String text, String canonical) {
        assertThat(ListenAddress.parse(text).text()).isEqualTo(canonical);
        assertThat(ListenAddress.parse(canonical)).isEqualTo(ListenAddress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "65536", "-1", "host", "host:", ":80", "a b:80", "::1:80", "http://host:80"})
    void parse_anythingElse_isRefusedWithWhatIsExpected(String text) {
        assertThatThrownBy(() -> ListenAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("[HOST:]PORT");
    }
}
