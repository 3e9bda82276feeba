/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.browser;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.MachinePart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The distribution's Chromium, led by its DevTools protocol. The browser, its processes and its files are gone after
 * {@link #close}.
 */
public final class Chromium implements AutoCloseable {
    private static final String PROGRAM = "chromium-headless-shell";
    private static final String IN_PACKAGE = PROGRAM + "=usr/lib/chromium/" + PROGRAM;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final Path directory;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Tab> tabs = new ArrayList<>();

    private Chromium(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** Fetches the browser if the machine has none, and starts it. */
    public static Chromium start() {
        Path programs = MachinePart.require(
                PROGRAM + " of the distribution",
                () -> FetchedPrograms.directory("chromium-packages", List.of(PROGRAM), List.of(IN_PACKAGE)));
        try {
            Path directory = Files.createTempDirectory("chromium-");
            Process process = new ProcessBuilder(
                            programs.resolve(PROGRAM).toString(),
                            // It shows pages of this test only, and the sandbox needs what containers do not have.
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-dev-shm-usage",
                            "--hide-scrollbars",
                            "--force-prefers-reduced-motion",
                            "--remote-debugging-port=0",
                            "--remote-allow-origins=*",
                            "--user-data-dir=" + directory,
                            "about:blank")
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("browser.log").toFile())
                    .start();
            Path reported = directory.resolve("DevToolsActivePort");
            Awaitility.await("the browser's port, of " + reported)
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> !process.isAlive() || lines(reported) > 1);
            if (!process.isAlive()) {
                throw new IllegalStateException(Files.readString(directory.resolve("browser.log")));
            }
            return new Chromium(
                    process,
                    directory,
                    Integer.parseInt(Files.readAllLines(reported).get(0)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    /** Opens a page of that size. */
    public Tab open(String url, int width, int height) {
        try {
            HttpResponse<String> made = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                            .PUT(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            String address = new ObjectMapper()
                    .readTree(made.body())
                    .path("webSocketDebuggerUrl")
                    .asText();
            Tab tab = Tab.connect(http, URI.create(address));
            tabs.add(tab);
            tab.size(width, height);
            tab.go(url);
            return tab;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        tabs.forEach(Tab::close);
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().orTimeout(10, TimeUnit.SECONDS).join());
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
