/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that are gone before they are answered: more of them than there may be connections at a time. */
@Timeout(120)
final class VanishedCallersTest {
    private static final int CALLERS = 300;
    private static final byte[] LARGE = new byte[1 << 20];
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void answers_thatNobodyTakes_leaveRoomForTheNext() throws Exception {
        try (HttpListener listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of("node-0")), null)) {
            listener.serve("/", exchange -> {
                LockSupport.parkNanos(WORK_NANOS);
                exchange.answer(Exchange.OK, "text/plain", LARGE);
            });
            listener.start();
            for (int i = 0; i < CALLERS; i++) {
                try (Socket socket = ask(listener.port(), "")) {
                    socket.setSoLinger(true, 0);
                    LockSupport.parkNanos(WORK_NANOS / 2);
                }
            }

            try (Socket socket = ask(listener.port(), "Connection: close\r\n")) {
                assertThat(socket.getInputStream().readAllBytes()).hasSizeGreaterThan(LARGE.length);
            }
        }
    }

    private static Socket ask(int port, String header) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(("GET / HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n").getBytes(UTF_8));
        return socket;
    }
}
