/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class ListenPlaceTest {
    @Test
    void open_withARange_takesEachPortOnceAndThenNamesTheRange() throws IOException {
        ListenPlace place = ListenPlace.LOOPBACK.withPorts("7000-7003");
        Set<Integer> taken = new HashSet<>();
        ListenPlace.Opening<Integer> opening = at -> {
            if (!taken.add(at.getPort())) {
                // The operating system reports it in the user's language.
                throw new IOException("cannot", new BindException("Die Adresse wird bereits verwendet"));
            }
            return at.getPort();
        };
        for (int i = 0; i < 4; i++) {
            place.open(opening);
        }

        assertThat(taken).containsExactlyInAnyOrder(7000, 7001, 7002, 7003);
        assertThatThrownBy(() -> place.open(opening))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("--port-range: 7000-7003 has no free port left");
    }

    @Test
    void open_atAnAddressOfOthers_failsAtOnce() throws UnknownHostException {
        // Of a network for documentation: no machine has it.
        ListenPlace place = new ListenPlace(InetAddress.getByName("192.0.2.1"), 7000, 7003);
        List<Integer> tried = new ArrayList<>();

        assertThatThrownBy(() -> place.open(at -> {
                    tried.add(at.getPort());
                    throw new BindException("Cannot assign requested address");
                }))
                .hasMessage("Cannot assign requested address");
        assertThat(tried).hasSize(1);
    }

    @Test
    void open_withoutARange_letsTheSystemChoose() throws IOException {
        try (ServerSocket socket = ListenPlace.LOOPBACK.open(at -> {
            ServerSocket bound = new ServerSocket();
            bound.bind(at);
            return bound;
        })) {
            assertThat(socket.getLocalPort()).isPositive();
            assertThat(socket.getInetAddress().isLoopbackAddress()).isTrue();
        }
    }

    @Test
    void range_malformed_isRefused() {
        for (String range : new String[] {"", "1", "0-5", "9-8", "1-65536", "a-b", "-1-4", "1-2-3"}) {
            assertThatThrownBy(() -> ListenPlace.EVERYWHERE.withPorts(range))
                    .as(range)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("A-B");
        }
    }

    @Test
    void environment_reportsWhere() throws UnknownHostException {
        assertThat(ListenPlace.of(Map.of())).isEqualTo(ListenPlace.EVERYWHERE);
        assertThat(ListenPlace.of(Map.of(WorkerEnv.BIND_ADDR, "127.0.0.2", WorkerEnv.PORT_RANGE, "70-80")))
                .isEqualTo(new ListenPlace(InetAddress.getByName("127.0.0.2"), 70, 80));
    }

    @Test
    void exposed_isAllButLoopback() throws UnknownHostException {
        assertThat(ListenPlace.EVERYWHERE.isExposed()).isTrue();
        assertThat(ListenPlace.LOOPBACK.isExposed()).isFalse();
        assertThat(new ListenPlace(InetAddress.getByName("10.0.0.1"), 0, 0).isExposed())
                .isTrue();
    }
}
