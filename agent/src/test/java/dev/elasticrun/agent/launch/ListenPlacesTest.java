/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.worker.contract.ListenPlace;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class ListenPlacesTest {
    private static final ListenOptions ASKED_NOTHING = new ListenOptions(SettingValues.DEFAULTS);

    @Test
    void runOfOneMachine_listensAtItsLoopbackAddress() throws UnknownHostException {
        assertThat(ListenPlaces.of(ASKED_NOTHING, "127.0.0.1")).isEqualTo(ListenPlace.LOOPBACK);
        assertThat(ListenPlaces.of(ASKED_NOTHING, "localhost")).isEqualTo(ListenPlace.LOOPBACK);
        assertThat(ListenPlaces.of(ASKED_NOTHING, "127.0.0.2").address()).isEqualTo(InetAddress.getByName("127.0.0.2"));
    }

    @Test
    void addressOfElsewhere_listensEverywhere() {
        assertThat(ListenPlaces.of(ASKED_NOTHING, "203.0.113.7")).isEqualTo(ListenPlace.EVERYWHERE);
        assertThat(ListenPlaces.of(ASKED_NOTHING, "node-1.example")).isEqualTo(ListenPlace.EVERYWHERE);
    }

    @Test
    void asked_wins() {
        assertThat(ListenPlaces.of(
                        new ListenOptions(SettingValues.DEFAULTS
                                .with(Settings.BIND_ADDR, "0.0.0.0")
                                .with(Settings.PORT_RANGE, "70-80")),
                        "127.0.0.1"))
                .isEqualTo(new ListenPlace(null, 70, 80));
        assertThat(ListenPlaces.of(
                        new ListenOptions(SettingValues.DEFAULTS.with(Settings.BIND_ADDR, "127.0.0.1")), "203.0.113.7"))
                .isEqualTo(ListenPlace.LOOPBACK);
    }

    @Test
    void encryption_isOnWhereOthersCanConnect() {
        assertThat(encrypts(builder(), ListenPlace.LOOPBACK)).isFalse();
        assertThat(encrypts(builder(), ListenPlace.EVERYWHERE)).isTrue();
        assertThat(encrypts(builder().insecure(true), ListenPlace.EVERYWHERE)).isFalse();
        assertThat(encrypts(builder().tls(true), ListenPlace.LOOPBACK)).isTrue();
        assertThat(encrypts(embedded("127.0.0.1:4000"), ListenPlace.LOOPBACK)).isFalse();
        assertThat(encrypts(embedded("0.0.0.0:4000"), ListenPlace.LOOPBACK)).isTrue();
    }

    @Test
    void address_thatOnlyThisMachineReaches_isWrongBesideOthers() {
        assertThat(ListenPlaces.unreachable("127.0.0.1", "b-1", "10.0.0.2"))
                .hasValueSatisfying(wrong ->
                        assertThat(wrong).contains("127.0.0.1: ", " b-1 ", "10.0.0.2 (expected: --local-addr "));
        assertThat(ListenPlaces.unreachable("127.0.0.1", "b-1", "127.0.0.2")).isEmpty();
        assertThat(ListenPlaces.unreachable("10.0.0.1", "b-1", "10.0.0.2")).isEmpty();
        assertThat(ListenPlaces.unreachable("10.0.0.1", "b-1", "127.0.0.1")).isEmpty();
    }

    private static boolean encrypts(LaunchConfigBuilder builder, ListenPlace place) {
        return Encryption.resolve(builder.unchecked(), place).tls().on();
    }

    private static LaunchConfigBuilder builder() {
        return LaunchConfig.builder("/bin/true");
    }

    private static LaunchConfigBuilder embedded(String endpoint) {
        return builder().rdzvBackend("embedded").rdzvEndpoints(List.of(endpoint));
    }
}
