/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EtcdStoreConfigTest {

    @ParameterizedTest
    @ValueSource(strings = {"localhost:2379", "10.0.0.1:1", "[::1]:2379", "etcd-0.etcd.svc.cluster.local:2379"})
    void endpoint_hostAndPort_isTaken(String endpoint) {
        assertThatCode(() -> EtcdStoreConfig.of(List.of(endpoint))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "http://localhost:2379", "localhost:", ":2379", "::1:2379", "a:123456"})
    void endpoint_anythingElse_isRefusedByName(String endpoint) {
        assertThatThrownBy(() -> EtcdStoreConfig.of(List.of(endpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("endpoint: " + endpoint + " (expected: host:port)");
    }

    @Test
    void endpoints_none_isRefused() {
        assertThatThrownBy(() -> EtcdStoreConfig.of(List.of())).hasMessageContaining("at least one host:port");
    }

    @Test
    void callDeadline_zero_isRefused() {
        assertThatThrownBy(() -> EtcdStoreConfig.of(List.of("a:1")).withCallDeadline(Duration.ZERO))
                .hasMessageContaining("callDeadline: PT0S");
    }

    @Test
    void withLease_anyTtl_leavesTimeForASecondCall() {
        EtcdStoreConfig one = EtcdStoreConfig.of(List.of("a:1"));
        EtcdStoreConfig three = EtcdStoreConfig.of(List.of("a:1", "b:1", "c:1"));

        assertThat(one.withLease(Duration.ofSeconds(3)).callDeadline()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(three.withLease(Duration.ofSeconds(3)).callDeadline()).isEqualTo(Duration.ofSeconds(1));
        assertThat(three.withLease(Duration.ofMinutes(1)).callDeadline()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void toString_withToken_hidesIt() {
        assertThat(EtcdStoreConfig.of(List.of("a:1"))
                        .withLogin(new StoreLogin.Secret("secret"))
                        .toString())
                .doesNotContain("secret")
                .contains("a:1");
    }
}
