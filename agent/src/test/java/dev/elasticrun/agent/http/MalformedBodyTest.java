/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.elasticrun.agent.CapturedLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lengths of chunks that are none: the caller's fault, and no error of the agent. */
@Timeout(60)
final class MalformedBodyTest {
    @RegisterExtension
    final CapturedLog logged = new CapturedLog(HttpListener.class);

    @ParameterizedTest
    @ValueSource(strings = {"ffffffff", "-5", "x"})
    void chunk_ofAnAbsurdLength_isNoErrorOfTheAgent(String length) throws IOException {
        SimulatedRun run = new SimulatedRun(2, 2);
        KeyGate gate = new KeyGate(System::nanoTime);
        try (Page page = new Page(run, gate);
                HttpListener listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of("node-0")), null)) {
            page.on(listener);
            listener.start();
            for (String path : List.of("/api/key", "/api/run")) {
                send(
                        listener.port(),
                        "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + length
                                + "\r\n" + "body\r\n".repeat(50) + "0\r\n\r\n");
            }

            assertThat(send(listener.port(), "GET /api/run HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(logged.events()).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }

    /** More of them than the server has connections; they do not wait for an answer. */
    @ParameterizedTest
    @ValueSource(strings = {"ffffffff", "-5", "x", "4"})
    void chunks_ofManyCallers_leaveRoomForTheNext(String length) throws IOException {
        try (HttpListener listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of("node-0")), null)) {
            listener.serve("/", exchange -> exchange.answerText(Exchange.OK, "served"));
            listener.start();
            String request = "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + length
                    + "\r\nbodybodybodybody\r\n";
            for (int i = 0; i < 300; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                    socket.setSoLinger(true, 0);
                    socket.getOutputStream().write(request.getBytes(UTF_8));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                }
            }

            assertThat(send(listener.port(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    private static String send(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
