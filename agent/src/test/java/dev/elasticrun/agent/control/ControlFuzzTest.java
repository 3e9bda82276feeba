/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.control.ControlFixture.Agent;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.StatusRequest;
import dev.elasticrun.rendezvous.fuzz.FuzzBytes;
import dev.elasticrun.rendezvous.fuzz.FuzzHttp;
import dev.elasticrun.rendezvous.fuzz.FuzzRun;
import dev.elasticrun.rendezvous.fuzz.FuzzSource;
import dev.elasticrun.rendezvous.fuzz.Recording;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers at the control service: it refuses them, and serves the run as before. */
@Tag("once")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class ControlFuzzTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final byte[] OTHER = "the key of another run".getBytes(StandardCharsets.UTF_8);

    @Test
    void strangers_inPlainText_areRefusedAndTheRunIsServed() throws Exception {
        play(false);
    }

    @Test
    void strangers_beforeTls_areRefusedAndTheRunIsServed() throws Exception {
        play(true);
    }

    /** Whoever has a certificate of the run, but not its key, sends what no agent does. */
    @Test
    void strangers_withinTls_areRefusedAndTheRunIsServed() throws Exception {
        Optional<RunTls> shown = tls("stranger", ControlFixture.KEY);
        try (ControlFixture agents = new ControlFixture(nodeId -> tls(nodeId, ControlFixture.KEY))) {
            Agent agent = agents.start("a");
            int port = agent.plane.port();
            await().atMost(LIMIT).ignoreExceptions().until(() -> status(port, ControlFixture.KEY, shown), "a"::equals);
            byte[] real;
            try (ControlFixture plain = new ControlFixture(nodeId -> Optional.empty())) {
                int other = plain.start("b").plane.port();
                real = Recording.of(other, relay -> status(relay, OTHER, Optional.empty()));
            }

            FuzzRun.playWithinTls(
                    port,
                    shown.orElseThrow().material().context(),
                    FuzzSource.oneOf(
                            FuzzBytes::noise,
                            FuzzHttp::frames,
                            FuzzHttp.requests(List.of("/", "/dev.elasticrun.v1.Control/Status")),
                            FuzzBytes.mutationsOf(real)),
                    () -> assertThat(status(port, ControlFixture.KEY, shown)).isEqualTo("a"));

            assertThat(agent.refused).extracting(Refusals.Refusal::method).contains("HTTP/2 of the control service");
            assertThat(agents.errors).isEmpty();
        }
    }

    private static void play(boolean secure) throws Exception {
        try (ControlFixture agents =
                new ControlFixture(nodeId -> secure ? tls(nodeId, ControlFixture.KEY) : Optional.empty())) {
            Agent agent = agents.start("a");
            int port = agent.plane.port();
            Optional<RunTls> own = secure ? tls("status", ControlFixture.KEY) : Optional.empty();
            Optional<RunTls> others = secure ? tls("status", OTHER) : Optional.empty();
            await().atMost(LIMIT).ignoreExceptions().until(() -> status(port, ControlFixture.KEY, own), "a"::equals);
            FuzzSource source = FuzzSource.oneOf(
                    FuzzBytes::noise,
                    FuzzHttp::frames,
                    FuzzHttp.requests(List.of("/", "/dev.elasticrun.v1.Control/Status")),
                    FuzzBytes.mutationsOf(Recording.of(port, relay -> status(relay, ControlFixture.KEY, own))),
                    FuzzBytes.mutationsOf(Recording.of(port, relay -> status(relay, OTHER, others))));

            FuzzRun.LegitimateCall legitimate =
                    () -> assertThat(status(port, ControlFixture.KEY, own)).isEqualTo("a");
            if (secure) {
                FuzzRun.playBeforeTls(port, source, legitimate);
            } else {
                FuzzRun.play(port, source, legitimate);
            }

            assertThat(agent.refused)
                    .extracting(Refusals.Refusal::method)
                    .contains((secure ? "TLS" : "HTTP/2") + " of the control service");
            assertThat(agents.errors).isEmpty();
        }
    }

    private static Optional<RunTls> tls(String node, byte[] key) {
        RunTls tls = RunTls.generated("run", node, List.of());
        tls.known(key);
        return Optional.of(tls);
    }

    private static String status(int port, byte[] key, Optional<RunTls> tls) {
        try (ControlClient client = new ControlClient("127.0.0.1:" + port, key, tls)) {
            return client.blocking(LIMIT)
                    .status(StatusRequest.getDefaultInstance())
                    .getAnsweredBy();
        }
    }
}
