/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.rendezvous.store.MachinePart;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The distribution's Prometheus, which scrapes one address five times a second. Gone after {@link #close}. */
public final class Prometheus implements AutoCloseable {
    private static final String PROGRAM = "prometheus";
    private static final String TOOL = "promtool";

    private final Process process;
    private final Path directory;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();

    private Prometheus(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** Fetches it if the machine has none. */
    public static Path program() {
        return programs().resolve(PROGRAM);
    }

    private static Path programs() {
        return MachinePart.require(
                PROGRAM + " of the distribution",
                () -> FetchedPrograms.directory("prometheus-tools", List.of(PROGRAM), List.of(PROGRAM, TOOL)));
    }

    /** What its own checker finds wrong with these metrics, names and texts and all; empty = nothing. */
    public static String check(String metrics, Path parent) {
        try {
            Path file = Files.writeString(Files.createTempFile(parent, "metrics-", ".txt"), metrics);
            Checked checked = run(List.of("check", "metrics"), file);
            return checked.exitCode() == 0 || !checked.text().isBlank()
                    ? checked.text().strip()
                    : "exit code " + checked.exitCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What its own checker finds wrong with a file of rules; empty = nothing. */
    public static String checkRules(Path rules) {
        Checked checked = run(List.of("check", "rules", rules.toString()), Path.of("/dev/null"));
        return checked.exitCode() == 0 ? "" : checked.text();
    }

    private record Checked(int exitCode, String text) {}

    private static Checked run(List<String> words, Path input) {
        List<String> line = new ArrayList<>(List.of(programs().resolve(TOOL).toString()));
        line.addAll(words);
        try {
            Process process = new ProcessBuilder(line)
                    .redirectInput(input.toFile())
                    .redirectErrorStream(true)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Checked(process.waitFor(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /**
     * @param target HOST:PORT
     * @param parent a directory for its files
     */
    public static Prometheus scrape(String target, Path parent) {
        try {
            Path directory = Files.createTempDirectory(parent, "prometheus-");
            Path config = Files.writeString(
                    directory.resolve("prometheus.yml"),
                    String.join(
                            "\n",
                            "global: {scrape_interval: 200ms, scrape_timeout: 200ms}",
                            "scrape_configs:",
                            "- job_name: agents",
                            "  static_configs: [{targets: ['" + target + "']}]",
                            ""));
            int port = FreePort.find();
            Process process = new ProcessBuilder(
                            program().toString(),
                            "--config.file=" + config,
                            "--storage.tsdb.path=" + directory.resolve("data"),
                            "--web.listen-address=127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log.txt").toFile())
                    .start();
            Prometheus started = new Prometheus(process, directory, port);
            started.awaitScrape(target);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitScrape(String target) {
        boolean done = false;
        try {
            Patience.until(
                    "Prometheus to scrape " + target,
                    TestRun.LIMIT,
                    () -> !process.isAlive() || !query("up == 1").isEmpty(),
                    this::log);
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    /** Results of an instant query, as its HTTP API gives them; empty also when it does not answer yet. */
    public JsonNode query(String expression) {
        String uri = "http://127.0.0.1:" + port + "/api/v1/query?query="
                + URLEncoder.encode(expression, StandardCharsets.UTF_8);
        try {
            HttpResponse<String> answer =
                    http.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
            JsonNode json = new ObjectMapper().readTree(answer.body());
            if (answer.statusCode() != 200 && json.has("error")) {
                throw new IllegalArgumentException(
                        expression + ": " + json.path("error").asText());
            }
            return json.at("/data/result");
        } catch (IOException notYet) {
            return new ObjectMapper().createArrayNode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log.txt"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
