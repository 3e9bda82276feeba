/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.tls.TlsFixture;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class TrainerPostTest {
    private static final Instant NOW = Instant.parse("2026-01-23T10:30:45.678Z");
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final TrainerStatus STATUS =
            new TrainerStatus(OptionalLong.of(45), OptionalLong.of(120), Map.of("world_size", "3"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void send_postsTheStatus_withTheTokenThatIsThere() throws IOException {
        try (TrainerServer server = TrainerServer.start(directory, List.of("127.0.0.1"))) {
            TrainerPost post = new TrainerPost(server.endpoint(), LIMIT);
            post.send(STATUS, NOW);
            Files.writeString(server.token(), "second\n");
            post.send(STATUS.succeeded(), NOW);

            assertThat(server.received())
                    .extracting(TrainerServer.Received::line)
                    .containsOnly(
                            "POST " + "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/xgb/status");
            assertThat(server.received())
                    .extracting(TrainerServer.Received::authorization)
                    .containsExactly("Bearer first", "Bearer second");
            assertThat(server.received())
                    .extracting(TrainerServer.Received::type)
                    .containsOnly("application/json");
            assertThat(server.received())
                    .extracting(TrainerServer.Received::body)
                    .containsExactly("""
                            {"trainerStatus":{"progressPercentage":45,"estimatedRemainingSeconds":120,\
                            "metrics":[{"name":"world_size","value":"3"}],"lastUpdatedTime":"2026-01-23T10:30:45Z"}}""", """
                            {"trainerStatus":{"progressPercentage":100,"estimatedRemainingSeconds":0,\
                            "metrics":[{"name":"world_size","value":"3"}],"lastUpdatedTime":"2026-01-23T10:30:45Z"}}""");
        }
    }

    @Test
    void send_refused_hasTheServersWords() throws IOException {
        try (TrainerServer server = TrainerServer.start(directory, List.of("127.0.0.1"))) {
            server.answerWith(403, "{\"message\": \"the pod is not of this TrainJob\"}");

            assertThatThrownBy(() -> new TrainerPost(server.endpoint(), LIMIT).send(STATUS, NOW))
                    .isInstanceOf(IOException.class)
                    .hasMessage("HTTP status 403: {\"message\": \"the pod is not of this TrainJob\"}");
        }
    }

    @Test
    void send_toAServerOfAnotherAuthority_isRefused_beforeTheTokenIsSent() throws IOException {
        TlsFiles others = TlsFixture.valid(directory.resolve("others"), "others");
        try (TrainerServer server = TrainerServer.start(directory, List.of("127.0.0.1"))) {
            TrainerEndpoint endpoint =
                    new TrainerEndpoint(server.endpoint().url(), others.authorities(), server.token());

            assertThatThrownBy(() -> new TrainerPost(endpoint, LIMIT).send(STATUS, NOW))
                    .isInstanceOf(SSLException.class);
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void send_toAServerOfAnotherName_isRefused_beforeTheTokenIsSent() throws IOException {
        try (TrainerServer server = TrainerServer.start(directory, List.of("trainer.example"))) {
            assertThatThrownBy(() -> new TrainerPost(server.endpoint(), LIMIT).send(STATUS, NOW))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("is for another host");
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void send_toAServerThatDoesNotAnswer_ends() throws IOException {
        TlsFiles files = TlsFixture.valid(directory, "trainer");
        Path token = Files.writeString(directory.resolve("token"), "first");
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TrainerEndpoint endpoint = new TrainerEndpoint(
                    URI.create("https://127.0.0.1:" + silent.getLocalPort() + "/"), files.authorities(), token);

            assertThatThrownBy(() -> new TrainerPost(endpoint, Duration.ofMillis(100)).send(STATUS, NOW))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void send_withoutAFile_isAnError() throws IOException {
        try (TrainerServer server = TrainerServer.start(directory, List.of("127.0.0.1"))) {
            Files.delete(server.token());

            assertThatThrownBy(() -> new TrainerPost(server.endpoint(), LIMIT).send(STATUS, NOW))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("token");
        }
    }
}
