/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.browser.Chromium;
import dev.elasticrun.agent.browser.Tab;
import dev.elasticrun.agent.events.LoggedEvent;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages about runs that have ended, through the script. */
@Timeout(120)
final class HistoryIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int[] WIDTHS = {1400, 800, 390};
    private static final String STDERR = "node-c137982b/worker-0.0/stderr.log";

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private Path logs;

    @BeforeEach
    void writeRun() throws IOException {
        logs = Files.createDirectory(
                directory.resolve("logs"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (InputStream events = GoldenFile.class.getResourceAsStream("three-nodes.jsonl")) {
            String all = new String(events.readAllBytes(), StandardCharsets.UTF_8);
            for (LoggedEvent event : LoggedEvent.parseAll(all)) {
                Path node = Files.createDirectories(logs.resolve("job").resolve(event.node()));
                Path file = node.resolve("events.jsonl");
                String before = Files.exists(file) ? Files.readString(file) : "";
                Files.writeString(file, before + event.json() + "\n");
            }
        }
        Path worker = Files.createDirectories(logs.resolve("job/node-c137982b/worker-0.0"));
        Files.writeString(worker.resolve("stderr.log.1"), "step 1\n");
        Files.writeString(worker.resolve("stderr.log"), "loss 0.5\nstep 2\n");
    }

    private HttpResponse<String> get(String address) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(address)).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void runThatHasEnded_isServedFromItsFiles_untilASignal() throws Exception {
        try (Script script = Script.start(directory, "dashboard", "--serve", logs.toString())) {
            await().atMost(PATIENCE).until(() -> script.out().endsWith("/\n"));
            String root = script.out().strip();
            assertThat(root).startsWith("http://127.0.0.1:");

            assertThat(get(root).body()).contains("href=\"run/job/\"", "run-state left");
            String run = root + "run/job/";
            assertThat(get(run).body()).contains("main.js");
            assertThat(get(run + "files.js").statusCode()).isEqualTo(200);

            JsonNode picture = new ObjectMapper().readTree(get(run + "api/run").body());
            assertThat(picture.path("run").path("outcome").asText()).isEqualTo("left");
            assertThat(picture.path("rounds").path(0).path("worldSize").asInt()).isEqualTo(6);
            assertThat(picture.path("incidents").size()).isEqualTo(7);
            assertThat(picture.path("commands").size()).isZero();
            assertThat(picture.at("/curves/run/world/0").asInt()).isEqualTo(6);
            assertThat(picture.path("files").path(0).path("name").asText()).isEqualTo(STDERR);
            assertThat(get(run + "api/live").body()).contains("event: run\n", "event: end\n");

            assertThat(get(run + "api/log?file=" + STDERR + "&q=STEP").body()).contains("1: step 1\\n3: step 2");
            assertThat(get(run + "api/download?file=" + STDERR).body()).isEqualTo("step 1\nloss 0.5\nstep 2\n");
            assertThat(get(run + "api/log?file=../../job/node-c137982b/events.jsonl")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(get(root + "run/%2E%2E/api/run").statusCode()).isEqualTo(404);
            assertThat(get(root + "run/none/").statusCode()).isEqualTo(404);

            script.signal("TERM");
            assertThat(script.exitCode()).as(script.err()).isZero();
        }
    }

    @Tag("once")
    @Test
    void pages_onEachScreen_areWithinIt() throws Exception {
        Path pictures = Files.createDirectories(Path.of("target/page/sizes"));
        try (Script script = Script.start(directory, "dashboard", "--serve", logs.toString());
                Chromium browser = Chromium.start()) {
            await().atMost(PATIENCE).until(() -> script.out().endsWith("/\n"));
            String root = script.out().strip();
            for (String path : List.of("", "run/job/")) {
                Tab tab = browser.open(root + path, WIDTHS[0], 900);
                tab.await("document.readyState === 'complete' && document.body.textContent.includes('job')");
                tab.await("!document.querySelector('#curve-list')"
                        + " || document.querySelectorAll('#curve-list .curve').length > 0");
                for (int width : WIDTHS) {
                    tab.size(width, 900);
                    if (Boolean.getBoolean("page.pictures")) {
                        for (boolean dark : new boolean[] {false, true}) {
                            tab.dark(dark);
                            String name =
                                    (path.isEmpty() ? "history-" : "history-run-") + width + (dark ? "-dark" : "");
                            Files.write(pictures.resolve(name + ".png"), tab.picture());
                        }
                    }
                    assertThat(tab.evaluate("document.documentElement.scrollWidth")
                                    .asInt())
                            .as("width %d of %s", width, path)
                            .isLessThanOrEqualTo(width);
                }
                assertThat(tab.problems()).isEmpty();
            }
        }
    }

    @Test
    void badInput_namesValueAndExpectation() throws Exception {
        refused("--serve: " + directory.resolve("none") + " (expected: a directory", directory.resolve("none"), "0");
        refused("--port: 70000 (expected: [HOST:]PORT", logs, "70000");
        Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString("rwxrwxrwx"));
        refused("--serve: " + logs + " (expected: a log directory of yours; it belongs to user", logs, "0");
        Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString("rwx------"));
        try (ServerSocket taken = new ServerSocket(0)) {
            String port = Integer.toString(taken.getLocalPort());
            refused("--port: 127.0.0.1:" + port + ": cannot listen on 127.0.0.1 port " + port, logs, port);
        }
        try (Script script = Script.start(directory, "dashboard", "--port", "0")) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err()).contains("--port: 0 (expected: --serve with it)");
        }
    }

    private void refused(String error, Path served, String port) throws Exception {
        try (Script script = Script.start(directory, "dashboard", "--serve", served.toString(), "--port", port)) {
            assertThat(script.exitCode()).as(script.err()).isEqualTo(2);
            assertThat(script.err()).contains(error);
        }
    }
}
