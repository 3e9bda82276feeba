/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.embedded.ConnectionGate;
import dev.elasticrun.rendezvous.store.embedded.EmbeddedEtcdServer;
import dev.elasticrun.rendezvous.store.embedded.StoreAccess;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** First words at a server: who sends what neither TLS nor HTTP/2 begins with is reported, once, and nobody else is. */
@Timeout(60)
final class HandshakeWatchTest {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeWatchTest.class);
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final String OTHER = "HTTP/2: what it sent is not HTTP/2";

    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/1.1\r\n\r\n", "\u0000"})
    void plainText_wordsOfNoCall_areReportedOnce(String words) throws Exception {
        try (EmbeddedEtcdServer server = serve(null);
                Socket stranger = connect(server)) {
            send(stranger, words);
            reportMore(stranger);

            await().until(() -> !refused.isEmpty());
            ask(server, null);
            assertThat(refused).containsExactly(OTHER);
        }
    }

    @Test
    void plainText_prefaceInPieces_isTheBeginningOfACall_andItsEndCounts() throws Exception {
        try (EmbeddedEtcdServer server = serve(null)) {
            try (Socket caller = connect(server)) {
                inPieces(caller, PREFACE);
                ask(server, null);
                assertThat(refused).isEmpty();
            }
            // Not closed before it is read: what the server had sent would be unread, and the end a reset.
            try (Socket caller = connect(server)) {
                inPieces(caller, PREFACE.substring(0, 20) + "\r\n\r ");
                await().until(() -> !refused.isEmpty());
                assertThat(refused).containsExactly(OTHER);
            }
        }
    }

    @Test
    void silence_andHalfAPreface_areNotReported() throws Exception {
        try (EmbeddedEtcdServer server = serve(null)) {
            connect(server).close();
            try (Socket half = connect(server)) {
                send(half, PREFACE.substring(0, 10));
            }
            ask(server, null);
            assertThat(refused).isEmpty();
        }
    }

    @Test
    void tls_wordsOfNoCallWithinIt_areReportedOnce_andCallsAreServed() throws Exception {
        RunTls tls = RunTls.generated("demo", "node-1", List.of("localhost", "127.0.0.1"));
        tls.known("0123456789abcdef".getBytes(UTF_8));
        try (EmbeddedEtcdServer server = serve(tls)) {
            ask(server, tls);
            assertThat(refused).isEmpty();
            try (SSLSocket stranger = (SSLSocket) tls.material()
                    .context()
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
                SSLParameters parameters = stranger.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"h2"});
                stranger.setSSLParameters(parameters);
                stranger.startHandshake();
                send(stranger, "GET / HTTP/1.1\r\n\r\n");

                await().until(() -> !refused.isEmpty());
            }
            ask(server, tls);
            assertThat(refused).containsExactly(OTHER);
        }
    }

    private EmbeddedEtcdServer serve(@Nullable RunTls tls) {
        return EmbeddedEtcdServer.start(
                "127.0.0.1",
                0,
                StoreAccess.of(null),
                tls == null ? null : tls.server(),
                new EmbeddedEtcdServer.Listening(
                        HandshakeWatch.channels(
                                (caller, timer) -> true, (protocol, from, why) -> refused.add(protocol + ": " + why)),
                        new ConnectionGate(),
                        true));
    }

    /** As agents do, until it is answered. The server's one thread has then received what was sent before. */
    private static void ask(EmbeddedEtcdServer server, @Nullable RunTls tls) {
        try (EtcdStore store = EtcdStore.connect(
                EtcdStoreConfig.of(List.of(server.endpoint())).withTls(tls == null ? null : tls.client()))) {
            await().atMost(Duration.ofSeconds(30)).until(() -> store.range(new KeyRange("/a", "/b"))
                    .handle((read, failure) -> failure == null)
                    .get(10, TimeUnit.SECONDS));
        }
    }

    private static Socket connect(EmbeddedEtcdServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static void inPieces(Socket socket, String words) throws IOException {
        for (int i = 0; i < words.length(); i++) {
            send(socket, words.substring(i, i + 1));
        }
    }

    /** The server may have closed already. */
    private static void reportMore(Socket socket) {
        try {
            send(socket, "and more");
        } catch (IOException e) {
            LOG.debug("closed after its first words", e);
        }
    }

    private static void send(Socket socket, String words) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(words.getBytes(US_ASCII));
        out.flush();
    }
}
