/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.ListenPlace;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class PortReservationIT {
    @Test
    void reserve_serverThatReusesAddresses_listensBesideIt() throws Exception {
        try (PortReservation reservation = PortReservation.reserve(ListenPlace.EVERYWHERE);
                ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(reservation.port()));

            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), reservation.port());
                    Socket accepted = server.accept()) {
                assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
            }
        }
    }

    /** As a stranger would: any user may set that option. */
    @Test
    void forWorker_serverThatReusesAddresses_isRefused() throws Exception {
        try (PortReservation reservation = PortReservation.forWorker(ListenPlace.LOOPBACK);
                ServerSocket stranger = new ServerSocket()) {
            stranger.setReuseAddress(true);

            assertThatThrownBy(() -> stranger.bind(ListenPlace.LOOPBACK.at(reservation.port())))
                    .isInstanceOf(BindException.class);
        }
    }

    /** The kernel lets only the same user share a port in this way. */
    @Test
    void forWorker_serverThatSharesPorts_listensBesideIt() throws Exception {
        try (PortReservation reservation = PortReservation.forWorker(ListenPlace.LOOPBACK);
                ServerSocketChannel worker = ServerSocketChannel.open()) {
            worker.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            worker.bind(ListenPlace.LOOPBACK.at(reservation.port()));

            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), reservation.port());
                    SocketChannel accepted = worker.accept()) {
                assertThat(accepted.socket().getPort()).isEqualTo(client.getLocalPort());
            }
        }
    }

    @Test
    void reserve_serverThatDoesNotReuse_mustWaitForClose() throws Exception {
        PortReservation reservation = PortReservation.reserve(ListenPlace.LOOPBACK);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), reservation.port());
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(false);
            assertThatThrownBy(() -> server.bind(address)).isInstanceOf(BindException.class);
        }
        reservation.close();
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(false);
            server.bind(address);
            assertThat(server.isBound()).isTrue();
        }
    }

    @Test
    void reserve_nobodyListens_connectIsRefused() throws Exception {
        try (PortReservation reservation = PortReservation.reserve(ListenPlace.EVERYWHERE)) {
            assertThatThrownBy(() -> {
                        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), reservation.port())) {
                            assertThat(socket.isConnected()).isFalse();
                        }
                    })
                    .isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void reserve_manyPorts_areAllDifferent() throws Exception {
        Set<Integer> ports = new HashSet<>();
        Set<PortReservation> reservations = new HashSet<>();
        try {
            for (int i = 0; i < 200; i++) {
                PortReservation reservation = PortReservation.reserve(ListenPlace.EVERYWHERE);
                reservations.add(reservation);
                ports.add(reservation.port());
            }
        } finally {
            reservations.forEach(PortReservation::close);
        }
        assertThat(ports).hasSize(200);
    }

    @Test
    void listening_whoConnectsEarly_waitsUntilItIsTaken() throws Exception {
        PortReservation reservation = PortReservation.listening(ListenPlace.LOOPBACK);
        try (Socket early = new Socket(InetAddress.getLoopbackAddress(), reservation.port());
                ServerSocketChannel door = reservation.take().orElseThrow();
                SocketChannel accepted = door.accept()) {
            reservation.close();

            assertThat(accepted.socket().getPort()).isEqualTo(early.getLocalPort());
            assertThat(reservation.take()).as("once only").isEmpty();
            assertThat(door.isOpen()).isTrue();
        }
    }

    @Test
    void listening_givenUp_refuses() throws Exception {
        PortReservation reservation = PortReservation.listening(ListenPlace.LOOPBACK);
        reservation.close();

        assertThatThrownBy(() -> {
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), reservation.port())) {
                        assertThat(socket.isConnected()).isFalse();
                    }
                })
                .isInstanceOf(ConnectException.class);
    }
}
