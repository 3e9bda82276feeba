/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an address that is asked proves. */
final class SocketDialerTest {
    private static final String LOOPBACK = "127.0.0.1";

    @Test
    void dial_somebodyListens_isAnswered() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(dial(LOOPBACK, server.getLocalPort())).isEqualTo(DialAnswer.Kind.ANSWERED);
        }
    }

    @Test
    void dial_nobodyListens_isRefused() throws Exception {
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

            assertThat(dial(LOOPBACK, bound.getLocalPort())).isEqualTo(DialAnswer.Kind.REFUSED);
        }
    }

    /** Nothing leads to it: the system reports it at once, as it does when an interface of this host is down. */
    @Test
    void dial_noWayLeadsThere_isSilent() throws Exception {
        assertThat(dial("255.255.255.255", 9)).isEqualTo(DialAnswer.Kind.SILENT);
    }

    private static DialAnswer.Kind dial(String host, int port) throws Exception {
        try (SocketDialer dialer = new SocketDialer("test-dialer", Duration.ofSeconds(5))) {
            return dialer.dial(host, port).get(10, TimeUnit.SECONDS).kind();
        }
    }
}
