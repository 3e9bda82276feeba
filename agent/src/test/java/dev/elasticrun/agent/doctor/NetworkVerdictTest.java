/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.doctor.NetworkVerdict.AddressPlace;
import dev.elasticrun.worker.contract.ListenPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NetworkVerdictTest {
    private static final NodeLoad TWO = new NodeLoad(2, 2, OptionalLong.empty(), OptionalLong.empty());

    @ParameterizedTest
    @CsvSource({
        "LOOPBACK, false, OK",
        "LOOPBACK, true, ERROR",
        "OF_THIS_MACHINE, true, OK",
        "ELSEWHERE, true, OK",
        "UNKNOWN, false, ERROR"
    })
    void address_byPlace(AddressPlace place, boolean hasPeers, Health expected) {
        Check check = NetworkVerdict.address("10.0.0.7", place, hasPeers);

        assertThat(check.health()).isEqualTo(expected);
        assertThat(check.found()).startsWith("10.0.0.7");
    }

    @Test
    void address_ofThisMachine_isAskedFor() {
        assertThat(AddressProbe.ask("127.0.0.1")).isEqualTo(AddressPlace.LOOPBACK);
        assertThat(AddressProbe.ask("192.0.2.1")).isEqualTo(AddressPlace.ELSEWHERE);
        assertThat(AddressProbe.ask("no-such-host.invalid")).isEqualTo(AddressPlace.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"8, OK", "7, ERROR"})
    void ports_ofARange_areFourAndTwoForEachWorker(int free, Health expected) {
        Check check = NetworkVerdict.ports(new PortProbe.Answer("7000-7100", free, List.of(), ""), TWO);

        assertThat(check.health()).isEqualTo(expected);
        assertThat(check.found()).isEqualTo(free + " of --port-range 7000-7100 are free");
    }

    @Test
    void ports_thatAreTaken_areNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            PortProbe.Answer answer = PortProbe.ask(
                    new ListenPlace(InetAddress.getLoopbackAddress(), port, port),
                    Map.of("--metrics-port", new ListenAddress("127.0.0.1", port)));

            assertThat(answer.free()).isZero();
            assertThat(NetworkVerdict.ports(answer, TWO).found()).startsWith("--metrics-port 127.0.0.1:" + port);
        }
    }

    @Test
    void ports_ofAnAddressElsewhere_cannotBeBound() throws IOException {
        PortProbe.Answer answer = PortProbe.ask(new ListenPlace(InetAddress.getByName("192.0.2.1"), 0, 0), Map.of());

        assertThat(NetworkVerdict.ports(answer, TWO).health()).isEqualTo(Health.ERROR);
        assertThat(answer.trouble()).startsWith("192.0.2.1");
    }

    @Test
    void ports_withoutARange_areAny() {
        assertThat(NetworkVerdict.ports(PortProbe.ask(ListenPlace.LOOPBACK, Map.of()), TWO)
                        .health())
                .isEqualTo(Health.OK);
    }
}
