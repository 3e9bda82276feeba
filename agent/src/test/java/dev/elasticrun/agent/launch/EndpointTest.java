/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @ValueSource(strings = {"host:1", "10.0.0.1:65535", "[::1]:2379", "[fe80::1%eth0]:80"})
    void text_ofWhatWasParsed_isTheSame(String text) {
        assertThat(Endpoint.parse(text).orElseThrow().text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", ":80", "host:0", "host:65536", "::1:80", "http://host:80", "a b:80"})
    void parse_notHostAndPort_isEmpty(String text) {
        assertThat(Endpoint.parse(text)).isEmpty();
    }

    @Test
    void parse_ipv6_dropsTheBrackets() {
        assertThat(Endpoint.parse("[::1]:80")).contains(new Endpoint("::1", 80));
    }
}
