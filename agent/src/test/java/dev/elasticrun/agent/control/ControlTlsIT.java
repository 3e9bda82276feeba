/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.control.ControlFixture.Agent;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.StatusRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Control planes that talk TLS: to each other as before, to strangers not at all. */
@Timeout(60)
final class ControlTlsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** A frame of HTTP/2: no payload, type 4. */
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    private static final byte[] OTHER = "the key of another run".getBytes(StandardCharsets.UTF_8);

    private final ControlFixture agents = new ControlFixture(nodeId -> Optional.of(tls(nodeId, ControlFixture.KEY)));

    private static RunTls tls(String node, byte[] key) {
        RunTls tls = RunTls.generated("run", node, List.of());
        tls.known(key);
        return tls;
    }

    @AfterEach
    void close() {
        agents.close();
        assertThat(agents.errors).isEmpty();
    }

    private static String status(Agent agent, Optional<RunTls> tls) {
        try (ControlClient client = new ControlClient("127.0.0.1:" + agent.plane.port(), ControlFixture.KEY, tls)) {
            return client.blocking(LIMIT)
                    .status(StatusRequest.getDefaultInstance())
                    .getAnsweredBy();
        }
    }

    @Test
    void death_ofANeighbour_isProvedOverTls() {
        agents.start("a");
        agents.start("b");
        agents.form("a", "a", "b");
        await().atMost(LIMIT)
                .until(() -> agents.held("a").size() > 0 && agents.held("b").size() > 0);

        agents.agent("b").die();

        await().atMost(LIMIT).until(() -> agents.agent("a").proved.contains("b"));
    }

    @Test
    void calls_ofTheRun_areAnswered_othersReceiveTheReason() {
        Agent agent = agents.start("a");
        await().atMost(LIMIT).ignoreExceptions().until(() -> status(
                        agent, Optional.of(tls("status", ControlFixture.KEY)))
                .equals("a"));

        assertThatThrownBy(() -> status(agent, Optional.of(tls("status", OTHER))))
                .hasMessageStartingWith("UNAVAILABLE: ")
                .hasMessageContaining("127.0.0.1:" + agent.plane.port() + " (CN=a, ");
        // Reported before the next one comes: what comes within a second of it is only counted.
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(agent.refused).first().satisfies(refusal -> {
                    assertThat(refusal.method()).isEqualTo("TLS of the control service");
                    assertThat(refusal.from()).startsWith("/127.0.0.1:");
                    assertThat(refusal.why()).contains("certificate_unknown");
                }));
        assertThatThrownBy(() -> status(agent, Optional.empty()))
                .hasMessageStartingWith("UNAVAILABLE: ")
                .hasMessageContaining("(expected: TLS here, ");
    }

    @Test
    void agent_thatDiesInACall_isNotSuspectedOfTls() throws Exception {
        try (ServerSocket mortal = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread dying = new Thread(() -> greetAndHangUp(mortal), "mortal");
            dying.start();
            try (ControlClient client =
                    new ControlClient("127.0.0.1:" + mortal.getLocalPort(), ControlFixture.KEY, Optional.empty())) {
                assertThatThrownBy(() -> client.blocking(LIMIT).status(StatusRequest.getDefaultInstance()))
                        .hasMessageStartingWith("UNAVAILABLE: ")
                        .message()
                        .doesNotContain("TLS");
            }
            dying.join();
        }
    }

    /** Until the call has come; then as the kernel does for a process that was killed. */
    private static void greetAndHangUp(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write(EMPTY_SETTINGS);
            StringBuilder stated = new StringBuilder();
            for (int next = 0; next >= 0 && stated.indexOf("/dev.elasticrun.v1.") < 0; ) {
                next = socket.getInputStream().read();
                stated.append((char) next);
            }
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
