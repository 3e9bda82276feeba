/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.metrics.MetricsRegistry;
import dev.elasticrun.rendezvous.fuzz.FuzzBytes;
import dev.elasticrun.rendezvous.fuzz.FuzzHttp;
import dev.elasticrun.rendezvous.fuzz.FuzzRun;
import dev.elasticrun.rendezvous.fuzz.FuzzSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers at the page and the metrics: both are served on. */
@Tag("once")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class PageFuzzTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    private static final List<String> PATHS = List.of(
            "/",
            "/index.html",
            "/api/run",
            "/api/live",
            "/api/challenge",
            "/api/log",
            "/api/command",
            "/metrics",
            "/x");

    @Test
    void strangers_areSentAwayAndThePageIsServed() throws Exception {
        KeyGate gate = new KeyGate(System::nanoTime);
        gate.key(KEY);
        SimulatedRun run = new SimulatedRun(2, 2);
        try (Page page = new Page(run, gate);
                HttpListener listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of("node-0")), null)) {
            page.on(listener);
            listener.serve("/metrics", metrics());
            listener.start();
            int port = listener.port();
            byte[] real = request("/api/run").getBytes(UTF_8);

            byte[] unproved = ("POST /api/command HTTP/1.1\r\nHost: localhost\r\nElastic-Run-Challenge: x\r\n"
                            + "Elastic-Run-Proof: y\r\nContent-Length: 2\r\n\r\n{}")
                    .getBytes(UTF_8);

            int inputs = FuzzRun.play(
                    port,
                    FuzzSource.oneOf(
                            FuzzBytes::noise,
                            FuzzHttp::frames,
                            FuzzHttp.requests(PATHS),
                            FuzzHttp.requests(PATHS),
                            FuzzBytes.mutationsOf(real),
                            FuzzBytes.mutationsOf(unproved)),
                    () -> {
                        for (String path : List.of("/", "/api/run", "/metrics")) {
                            assertThat(answer(port, path)).as(path).startsWith("HTTP/1.1 200 ");
                        }
                    });

            // A sixth is posted without a proof of the key, of which some is not understood.
            assertThat(run.refusals()).hasSizeBetween(inputs / 60, inputs);
        }
    }

    /** As the agent serves them. */
    private static HttpListener.Route metrics() {
        MetricsRegistry<String> metrics = new MetricsRegistry<>("job", "node-0", () -> "");
        metrics.gauge("up", "Whether it is.", reading -> 1);
        return exchange -> {
            MetricsRegistry.Page page = metrics.scrape(exchange.header("Accept").orElse(""));
            exchange.answer(Exchange.OK, page.type(), page.text());
        };
    }

    private static String request(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    }

    private static String answer(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request(path).getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
