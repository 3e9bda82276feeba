/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.agent.browser.Chromium;
import dev.elasticrun.agent.browser.Tab;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.metrics.GrafanaFile;
import dev.elasticrun.agent.trace.TraceFile;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Prometheus;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.telemetry.otlp.OtlpCollector;
import dev.elasticrun.testing.Patience;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run whose worker is killed, seen by the real Prometheus and by a real browser. */
@Timeout(180)
final class WatchedRunE2E {
    private static final int WORKERS = 2;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("slow")
    void queriesOfTheDashboardFile_areAllAnsweredWithData() throws IOException {
        Prometheus.program();
        AgentProcess agent = start("--metrics-port", "0");
        URI metrics = URI.create(logged(agent, "metrics"));
        try (Prometheus prometheus = Prometheus.scrape(metrics.getAuthority(), run.directory())) {
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
            assertThat(number(prometheus, "sum(elasticrun_incidents_total)")).isEqualTo(1);
            assertRecoveryAndTime(prometheus);
            await(prometheus, "sum(elasticrun_restarts_used)", 1);
            await(prometheus, "sum(elasticrun_worker_restarts_total)", 1);
            await(prometheus, "count(elasticrun_worker_step > 0)", WORKERS);
            assertThat(number(prometheus, "min(elasticrun_worker_memory_bytes)"))
                    .isGreaterThan(10_000_000);
            assertThat(number(prometheus, "elasticrun_lease_margin_seconds")).isBetween(0.0, 3.0);
            assertThat(number(prometheus, "elasticrun_heartbeat_lag_seconds")).isBetween(0.0, 3.0);
            assertThat(Prometheus.check(read(metrics), run.directory())).isEmpty();
            assertThat(Prometheus.checkRules(Path.of("../docs/prometheus/alerts.yaml")))
                    .isEmpty();
        }
        agent.signal("TERM");
        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(143);
    }

    @Test
    @Tag("once")
    void collector_receivesTheMetricsThatAreScraped_andOneTraceForTheIncidentOfBothNodes() throws IOException {
        List<String> program = Project.training(1500, TestRun.STEP_MILLIS);
        try (OtlpCollector collector = OtlpCollector.start()) {
            List<String> options = embedded(
                    "--nnodes", "2", "--restart-policy", "soft-replace", "--otlp-endpoint", collector.address() + "");
            List<String> serving = new ArrayList<>(options);
            serving.addAll(List.of("--metrics-port", "0"));
            AgentProcess agent = run.agent(serving, program);
            agent.await(RunEvent.RunJoined.class);
            AgentProcess other = run.agent(options, program);
            URI metrics = URI.create(logged(agent, "metrics"));
            long round = run.awaitTogether(WORKERS, agent, other);
            for (AgentProcess each : List.of(agent, other)) {
                each.await(RunEvent.WorkerProgressed.class);
            }

            kill(other, 0);
            run.awaitTogether(round, WORKERS, agent, other);

            Patience.until(
                    "a span of each node",
                    TestRun.LIMIT,
                    () -> incidents(collector).size() == WORKERS,
                    () -> collector.spans().toString());
            String scraped = read(metrics);
            // The first one serves the store, and stays for as long as there are others.
            other.signal("TERM");
            agent.signal("TERM");
            for (AgentProcess each : List.of(other, agent)) {
                assertThat(each.exitCode(TestRun.LIMIT)).isEqualTo(143);
            }
            assertTrace(collector, agent, other);
            assertThat(collector.metrics().keySet()).containsExactlyInAnyOrderElementsOf(names(scraped));
        }
    }

    /** Spans of incidents, not of their phases. */
    private static List<OtlpCollector.Received<Span>> incidents(OtlpCollector collector) {
        return collector.spans().stream()
                .filter(span -> span.value().getParentSpanId().isEmpty())
                .toList();
    }

    private static void assertTrace(OtlpCollector collector, AgentProcess agent, AgentProcess other) {
        List<OtlpCollector.Received<Span>> incidents = incidents(collector);
        assertThat(incidents)
                .extracting(span -> span.resource().get("elasticrun.node"))
                .containsExactlyInAnyOrder(
                        agent.nodeId().orElseThrow(), other.nodeId().orElseThrow());
        assertThat(incidents)
                .extracting(span -> span.value().getTraceId())
                .containsOnly(incidents.get(0).value().getTraceId());
        assertThat(collector.spans())
                .filteredOn(span -> span.value().getName().equals("resumed"))
                .hasSize(WORKERS);
        assertThat(incidents).allSatisfy(span -> assertThat(
                        OtlpCollector.attributes(span.value().getAttributesList()))
                .containsEntry("elasticrun.cause", "worker_failed")
                .containsEntry("elasticrun.incident", "2")
                .containsKeys("elasticrun.round", "elasticrun.stall_seconds", "elasticrun.world_size"));
        assertThat(incidents).anySatisfy(span -> assertThat(span.value().getEventsList())
                .singleElement()
                .satisfies(event -> assertThat(OtlpCollector.attributes(event.getAttributesList())
                                .get("elasticrun.message"))
                        .contains("SIGKILL")));
    }

    /** Of what was scraped, as OTLP has them. */
    private static List<String> names(String scraped) {
        return Pattern.compile("^# TYPE (\\S+) ", Pattern.MULTILINE)
                .matcher(scraped)
                .results()
                .map(type -> type.group(1).replaceFirst("_total$", ""))
                .toList();
    }

    /** One recovery, whose phases follow each other; and no time is counted twice. */
    private static void assertRecoveryAndTime(Prometheus prometheus) {
        double before = 0;
        for (String phase : List.of("detected", "paused", "sealed", "published", "resumed")) {
            String of = "{phase='" + phase + "'})";
            assertThat(number(prometheus, "sum(elasticrun_recovery_seconds_count" + of))
                    .as(phase)
                    .isEqualTo(1);
            double seconds = number(prometheus, "sum(elasticrun_recovery_seconds_sum" + of);
            assertThat(seconds).as(phase).isBetween(before, 60.0);
            before = phase.equals("paused") ? 0 : seconds;
        }
        String stepTime = "elasticrun_committed_step_seconds_total + elasticrun_lost_step_seconds_total"
                + " + elasticrun_pending_step_seconds";
        assertThat(number(prometheus, "(" + stepTime + ") / elasticrun_wall_seconds_total"))
                .isBetween(0.01, 1.0);
        await(prometheus, "count(elasticrun_committed_step_seconds_total > 0)", 1);
    }

    private static String read(URI address) throws IOException {
        try (InputStream text = address.toURL().openStream()) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @Tag("once")
    void page_ofOneNode_showsTheOther_asExplainDoes_andSteersBoth() throws IOException {
        List<String> options = embedded("--nnodes", "2", "--restart-policy", "soft-replace", "--tls");
        List<String> serving = new ArrayList<>(options);
        serving.addAll(List.of("--dashboard-port", "0"));
        List<String> program = Project.training(1500, TestRun.STEP_MILLIS);
        AgentProcess agent = run.agent(serving, program);
        // The first one serves the store, and stays for as long as there are others.
        agent.await(RunEvent.RunJoined.class);
        AgentProcess other = run.agent(options, program);
        long round = run.awaitTogether(WORKERS, agent, other);
        try (Chromium browser = Chromium.start()) {
            String address = address();
            Tab careful = browser.open(address, 1440, 1000);
            assertThat(careful.evaluate("location.href").asText()).startsWith("chrome-error:");
            Tab tab = trusting(browser, address);
            tab.evaluate("window.notReloaded = true");
            tab.await("document.querySelector('#state').textContent.includes('Working: 2 workers on 2 nodes')");
            tab.await("document.querySelectorAll('#ranks tr[data-state=working]').length === 2");

            // How many steps an incident costs is known of workers that reported one before it.
            for (AgentProcess each : List.of(agent, other)) {
                each.await(RunEvent.WorkerProgressed.class);
            }

            kill(other, 0);

            round = run.awaitTogether(round, WORKERS, agent, other);
            awaitWordsOfExplain(tab);
            tab.await("document.querySelector('#figures').textContent.includes('1 of 3')");
            CompletableFuture<Command.Result> trace =
                    CompletableFuture.supplyAsync(() -> command("events", "--run-id", run.id(), "--format", "trace"));
            showLogs(tab, agent, other);
            assertThat(tab.evaluate("window.notReloaded").asBoolean()).isTrue();
            // A line for each rank, on whichever node: its memory, and its processor time, which needs two looks.
            tab.await("document.querySelectorAll('#curve-list figure:nth-child(2) .curve').length === 2");
            tab.await("document.querySelectorAll('#curve-list figure:nth-child(3) .curve').length === 2");
            Path pictures = Files.createDirectories(Path.of("target/page"));
            Files.write(pictures.resolve("real.png"), tab.picture());
            refuse(browser, address, agent);
            assertTrace(TraceFile.of(trace.join().output()), agent, other);
            steer(tab, other);
            assertThat(other.exitCode(TestRun.LIMIT)).isEqualTo(143);
            run.awaitTogether(round, 1, agent);
            assertThat(agent.log().everStarted()).hasSize(1);
            assertThat(tab.problems()).isEmpty();
            ask(tab, "Stop the run", "");
            tab.await("document.querySelector('#connection').textContent.startsWith('The agent ended at')");
        }
        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(143);
    }

    /** Once the incident is over, and a step of the next round is known, both are made of the same events. */
    private void awaitWordsOfExplain(Tab tab) {
        for (String last : List.of("until the last worker worked", " lost.")) {
            tab.await("document.querySelector('#incident-list p').textContent.includes('" + last + "')");
        }
        Command.Result reported = command("explain", "--run-id", run.id());
        assertThat(reported.output()).contains("SIGKILL", "round 2");
        tab.await("document.querySelectorAll('#incident-list p').length === 1");
        assertThat(reported.output()).contains(tab.text("#incident-list p"));
    }

    private static void assertTrace(TraceFile trace, AgentProcess... agents) {
        assertThat(trace.problems()).isEmpty();
        assertThat(trace.trackNames())
                .filteredOn(name -> name.contains("/rank "))
                .hasSize(WORKERS);
        for (AgentProcess agent : agents) {
            String node = "node " + agent.nodeId().orElseThrow();
            assertThat(trace.trackNames())
                    .filteredOn(name -> name.startsWith(node))
                    .hasSize(2);
        }
        assertThat(trace.names("X")).contains("starting", "ready", "joining", "working", "paused");
        assertThat(trace.spansIn("incident 2: worker failed on "))
                .containsExactlyInAnyOrder("detected", "sealed", "work published", "working again");
        assertThat(trace.names("i")).anyMatch(name -> name.contains("137"));
    }

    private static void showLogs(Tab tab, AgentProcess... agents) {
        tab.await("document.querySelector('#key-note').textContent.includes('The key is right')");
        tab.evaluate("document.querySelector('#log-stream').value = 'stdout'");
        for (AgentProcess agent : agents) {
            String node = agent.nodeId().orElseThrow();
            tab.evaluate("[...document.querySelectorAll('#ranks tr')].find(row => row.textContent.includes('" + node
                    + "')).querySelector('button').click()");
            tab.await("document.querySelector('#log-note').textContent.includes('" + node + "')");
        }
    }

    /** Who has no key, or a wrong one, changes nothing; it is recorded that somebody tried. */
    private static void refuse(Chromium browser, String address, AgentProcess agent) {
        Tab stranger = trusting(browser, address.replaceFirst("#.*", ""));
        stranger.await("document.querySelectorAll('#commands button').length > 0");
        assertThat(stranger.evaluate("fetch('/api/command', {method: 'POST', body: '{\"command\":\"stop\"}'})"
                                + ".then(answer => answer.status)")
                        .asInt())
                .isEqualTo(401);
        stranger.evaluate("document.querySelector('#key-field').focus()");
        stranger.type("00".repeat(32));
        stranger.press("Enter");
        stranger.await("document.querySelector('#key-note').textContent.includes('not the key of this run')");
        ask(stranger, "Stop the run", "");
        stranger.await("document.querySelector('#command-answer').textContent.includes(\"needs the run's key\")");
        Patience.until(
                "the refusal in the events",
                TestRun.LIMIT,
                () -> !agent.log().all("control.refused").isEmpty(),
                agent::console);
        assertThat(agent.log().all("command.received")).isEmpty();
    }

    private static void steer(Tab tab, AgentProcess other) {
        String node = other.nodeId().orElseThrow();
        ask(tab, "Drain a node", node);
        tab.await("document.querySelector('#command-answer').textContent.startsWith('Refused: ')");
        ask(tab, "Scale", "1:2");
        tab.await("document.querySelector('#command-answer').textContent.startsWith('Done: scaled to 1:2')");
        ask(tab, "Drain a node", node);
        tab.await("document.querySelector('#command-answer').textContent.startsWith('Done: drained " + node + "')");
    }

    private static Tab trusting(Chromium browser, String address) {
        Tab tab = browser.open("about:blank", 1440, 1000);
        tab.trust();
        tab.go(address);
        return tab;
    }

    private static void ask(Tab tab, String command, String argument) {
        tab.evaluate("[...document.querySelectorAll('#commands button')].find(one => one.textContent === '" + command
                + "').click()");
        tab.evaluate("document.querySelectorAll('#confirm-fields input, #confirm-fields select').forEach("
                + "field => { field.value = '" + argument + "'; })");
        tab.evaluate("document.querySelector('#confirm').open && document.querySelector('#confirm-yes').click()");
    }

    private List<String> embedded(String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("--run-id", run.id(), "--rdzv-backend", "embedded"));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            options.addAll(List.of("--rdzv-endpoint", "127.0.0.1:" + free.getLocalPort()));
        }
        options.addAll(List.of(more));
        return options;
    }

    private AgentProcess start(String... more) {
        List<String> options = new ArrayList<>(List.of(
                "--standalone",
                "--run-id",
                run.id(),
                "--nproc-per-node",
                Integer.toString(WORKERS),
                "--restart-policy",
                "soft-replace"));
        options.addAll(List.of(more));
        return run.agent(options, Project.training(1500, TestRun.STEP_MILLIS));
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
        Command.Result reported = command("dashboard", "--run-id", run.id());
        assertThat(reported.exitCode()).as(reported.output()).isZero();
        Matcher address = Pattern.compile("https://127\\.0\\.0\\.1:\\d+/#key=[0-9a-f]{64}")
                .matcher(reported.output());
        assertThat(address.find()).as(reported.output()).isTrue();
        assertThat(reported.output())
                .containsPattern("/tls/ca\\.pem warns before it shows the page; SHA-256 .*: [0-9a-f]{64}\n");
        return address.group();
    }

    private Command.Result command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        all.addAll(List.of(arguments));
        return Command.run(Map.of("TMPDIR", run.temporary().toString()), TestRun.LIMIT, all);
    }

    private static boolean hasNumber(JsonNode result) {
        return StreamSupport.stream(result.spliterator(), false)
                .anyMatch(series -> !series.at("/value/1").asText("NaN").equals("NaN"));
    }

    /** What workers report is in the agent's next page, and that in Prometheus after its next scrape. */
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
