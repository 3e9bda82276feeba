/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.tls.RunTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that take a byte now and then, or nothing, of an answer that no buffer holds. */
@Timeout(120)
final class SlowReaderTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final byte[] LARGE = new byte[64 << 20];

    private final CountDownLatch ended = new CountDownLatch(1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answer_thatNobodyTakes_isGivenUp(boolean secure) throws Exception {
        RunTls tls = RunTls.generated("run", "n", List.of("localhost", "127.0.0.1"));
        tls.known("0123456789abcdef".getBytes(UTF_8));
        HttpListener.Route route = exchange -> endsAfter(() -> exchange.answer(Exchange.OK, "text/plain", LARGE));

        requireGivenUp(secure ? tls.web() : null, route);
    }

    @Test
    void stream_thatNobodyTakes_isGivenUp() throws Exception {
        requireGivenUp(
                null,
                exchange -> endsAfter(() -> {
                    try (OutputStream out = exchange.stream("text/event-stream")) {
                        out.write(LARGE);
                    }
                }));
    }

    /** Pages are streams: as long as each piece is taken, one may last. */
    @Test
    void stream_whosePiecesAreTaken_lasts() throws Exception {
        Duration limit = Duration.ofMillis(500);
        HttpListener.Route route = exchange -> {
            try (OutputStream out = exchange.stream("text/event-stream")) {
                for (int i = 0; i < 20; i++) {
                    out.write('x');
                    out.flush();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
            }
        };
        try (HttpListener listener = listen(null, limit, route);
                Socket socket = ask(listener.port(), null)) {
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .containsPattern("(?s)(1\r\nx\r\n){20}0\r\n");
        }
    }

    private void requireGivenUp(@Nullable SSLContext tls, HttpListener.Route route) throws Exception {
        try (HttpListener listener = listen(tls, PATIENCE, route);
                Socket socket = ask(listener.port(), tls)) {
            assertThat(socket.getInputStream().read()).isNotNegative();
            assertThat(ended.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("the thread is free")
                    .isTrue();
            // The one that answered serves the next caller.
            await().atMost(LIMIT).untilAsserted(() -> assertThat(threads()).noneMatch(Thread::isInterrupted));
        }
    }

    private void endsAfter(Patience.Writing answering) throws IOException {
        try {
            answering.run();
        } finally {
            ended.countDown();
        }
    }

    private static HttpListener listen(@Nullable SSLContext tls, Duration answer, HttpListener.Route route)
            throws IOException {
        HttpListener listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of("node-0")), tls, answer);
        listener.serve("/", route);
        listener.start();
        return listener;
    }

    private static Socket ask(int port, @Nullable SSLContext tls) throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        if (tls != null) {
            socket = trustingAll().getSocketFactory().createSocket(socket, "localhost", port, true);
        }
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.getOutputStream()
                .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
        return socket;
    }

    private static SSLContext trustingAll() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyTrust()}, null);
        return context;
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("http-"))
                .toList();
    }

    /** Whom it calls is not what this is about. */
    private static final class AnyTrust extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
    }
}
