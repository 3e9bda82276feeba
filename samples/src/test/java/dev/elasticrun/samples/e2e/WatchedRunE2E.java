/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.agent.browser.Chromium;
import dev.elasticrun.agent.browser.Tab;
import dev.elasticrun.agent.metrics.GrafanaFile;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Patience;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Prometheus;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run whose worker is killed, seen by the real Prometheus and by a real browser. */
@Tag("once")
@Timeout(180)
final class WatchedRunE2E {
    private static final int WORKERS = 2;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void queriesOfTheDashboardFile_areAllAnsweredWithData() throws IOException {
        Prometheus.program();
        AgentProcess agent = start("--metrics-port", "0");
        String target = URI.create(logged(agent, "metrics")).getAuthority();
        try (Prometheus prometheus = Prometheus.scrape(target, run.directory())) {
            long round = run.awaitTogether(WORKERS, agent);
            kill(agent, 1);
            run.awaitTogether(round, WORKERS, agent);
            for (String query : GrafanaFile.read().queries(run.id(), "1m")) {
                Patience.until(
                        "data for " + query,
                        TestRun.LIMIT,
                        () -> hasNumber(prometheus.query(query)),
                        () -> prometheus.query(query) + "\n" + agent.console());
            }
            await(prometheus, "sum(elasticrun_incidents_total{cause='worker_failed'})", 1);
            await(prometheus, "sum(elasticrun_recovery_seconds_count{phase='resumed'})", 1);
            await(prometheus, "sum(elasticrun_restarts_used)", 1);
            await(prometheus, "sum(elasticrun_worker_restarts_total)", 1);
            await(prometheus, "count(elasticrun_worker_step > 0)", WORKERS);
            assertThat(number(prometheus, "min(elasticrun_worker_memory_bytes)"))
                    .isGreaterThan(10_000_000);
            assertThat(number(prometheus, "elasticrun_lease_margin_seconds")).isBetween(0.0, 3.0);
        }
        agent.signal("TERM");
        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(143);
    }

    @Test
    void page_ofARunWhoseWorkerIsKilled_tellsItWithoutReload() throws IOException {
        AgentProcess agent = start("--dashboard-port", "0", "--tls");
        long round = run.awaitTogether(WORKERS, agent);
        try (Chromium browser = Chromium.start()) {
            String address = address();
            Tab careful = browser.open(address, 1440, 1000);
            assertThat(careful.evaluate("location.href").asText()).startsWith("chrome-error:");
            Tab tab = browser.open("about:blank", 1440, 1000);
            tab.trust();
            tab.go(address);
            tab.evaluate("window.notReloaded = true");
            tab.await("document.querySelector('#state').textContent.includes('All is well: 2 workers')");
            tab.await("document.querySelectorAll('#ranks tr[data-state=working]').length === 2");

            kill(agent, 1);

            tab.await("document.querySelector('#incident-list').textContent.includes('killed by SIGKILL')");
            run.awaitTogether(round, WORKERS, agent);
            tab.await("document.querySelector('#incident-list').textContent.includes('worked again')");
            tab.await("document.querySelector('#figures').textContent.includes('1 of 3')");
            tab.await("document.querySelector('#key-note').textContent.includes('The key is right')");
            tab.click("#ranks button");
            tab.await("document.querySelector('#log-note').textContent.includes('worker-0')");
            assertThat(tab.evaluate("window.notReloaded").asBoolean()).isTrue();
            Path pictures = Files.createDirectories(Path.of("target/page"));
            Files.write(pictures.resolve("real.png"), tab.picture());
            assertThat(tab.problems()).isEmpty();
            agent.signal("TERM");
            tab.await("document.querySelector('#connection').textContent.startsWith('The agent ended at')");
        }
        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(143);
    }

    private AgentProcess start(String... more) {
        List<String> options = new java.util.ArrayList<>(List.of(
                "--standalone",
                "--run-id",
                run.id(),
                "--nproc-per-node",
                Integer.toString(WORKERS),
                "--restart-policy",
                "soft-replace"));
        options.addAll(List.of(more));
        return run.agent(options, Project.training(5000, 20));
    }

    private static void kill(AgentProcess agent, int slot) {
        AgentLog.Slot victim = agent.log().running().get(slot);
        agent.worker(victim.pid()).destroyForcibly();
    }

    private static String logged(AgentProcess agent, String name) {
        Pattern line = Pattern.compile(" " + name + "=(http\\S+)");
        Patience.until(
                name + " in the log",
                TestRun.LIMIT,
                () -> line.matcher(agent.console()).find(),
                agent::console);
        Matcher found = line.matcher(agent.console());
        return found.find() ? found.group(1) : "";
    }

    /** As a user asks for it. */
    private String address() {
        Command.Result told = Command.run(
                Map.of("TMPDIR", run.temporary().toString()),
                Duration.ofSeconds(20),
                List.of(Project.LAUNCHER.toString(), "dashboard", "--run-id", run.id()));
        assertThat(told.exitCode()).as(told.output()).isZero();
        Matcher address = Pattern.compile("https://127\\.0\\.0\\.1:\\d+/#key=[0-9a-f]{64}")
                .matcher(told.output());
        assertThat(address.find()).as(told.output()).isTrue();
        assertThat(told.output())
                .containsPattern("/tls/ca\\.pem warns before it shows the page; SHA-256 .*: [0-9a-f]{64}\n");
        return address.group();
    }

    private static boolean hasNumber(JsonNode result) {
        return StreamSupport.stream(result.spliterator(), false)
                .anyMatch(series -> !series.at("/value/1").asText("NaN").equals("NaN"));
    }

    /** What workers tell is in the agent's next page, and that in Prometheus after its next scrape. */
    private static void await(Prometheus prometheus, String query, double expected) {
        Patience.until(
                query + " = " + expected, TestRun.LIMIT, () -> number(prometheus, query) == expected, () -> prometheus
                        .query(query)
                        .toString());
    }

    private static double number(Prometheus prometheus, String query) {
        return prometheus.query(query).at("/0/value/1").asDouble(Double.NaN);
    }
}
