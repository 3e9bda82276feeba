/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.http.IncidentRows;
import dev.elasticrun.agent.incident.Incidents;
import dev.elasticrun.cli.GoldenFile;
import dev.elasticrun.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The events of a real run of three nodes: a worker was killed, then an agent; one was stopped for a while; then both that
 * were left were asked to leave.
 */
final class IncidentViewTest {
    private static final Path EVENTS = Path.of("src/test/resources/dev/elasticrun/cli/three-nodes.jsonl");

    @TempDir
    private Path logs;

    private List<LoggedEvent> events = List.of();

    @BeforeEach
    void filesOfTheRun() throws IOException {
        events = LoggedEvent.parseAll(Files.readString(EVENTS, StandardCharsets.UTF_8));
        for (LoggedEvent event : events) {
            Path node = Files.createDirectories(logs.resolve("see1").resolve(event.node()));
            Files.writeString(
                    node.resolve("events.jsonl"),
                    event.json() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    @Test
    void incidents_allOfARun_areExplained() throws IOException {
        GoldenFile.assertSame(
                "explain-three-nodes.txt", IncidentView.of(Incidents.of(events), Optional.empty(), ZoneOffset.UTC));
    }

    @Test
    void incidents_onThePage_haveTheSameSentences() {
        String explained = IncidentView.of(Incidents.of(events), Optional.empty(), ZoneOffset.UTC);

        assertThat(IncidentRows.of(Incidents.of(events))).hasSize(7).allSatisfy(row -> assertThat(explained)
                .contains("incident " + row.numbers().number() + ", ")
                .contains("  " + row.story().words() + System.lineSeparator()));
    }

    @Test
    void incident_asJson_hasStableNames() throws IOException {
        GoldenFile.assertSame(
                "explain-three-nodes.json",
                IncidentJson.of("see1", Optional.empty(), Incidents.of(events).subList(1, 2)));
    }

    @Test
    void explain_runThatHasEnded_readsItsFiles() {
        assertThat(run("explain", "4", "--log-dir", logs.toString()))
                .contains("incident 4, ", "was lost: connection ended without a goodbye")
                .doesNotContain("incident 3");
        assertThat(run("explain", "99", "--log-dir", logs.toString()))
                .contains("INCIDENT: 99 (expected: 1, 2, 3, 4, 5, 6, 7, 8)");
    }

    @Test
    void events_runThatHasEnded_areFiltered() {
        assertThat(run("events", "--log-dir", logs.toString(), "--kind", "run.joined", "--node", "node-4")
                        .lines())
                .singleElement()
                .asString()
                .contains("r0    node-44c80eab  run.joined            host=node max_nodes=3");
        assertThat(run("events", "--log-dir", logs.toString(), "--since", "1s")).isEmpty();
        assertThat(run("events", "--log-dir", logs.toString(), "--format", "json", "--kind", "node.lost"))
                .startsWith("{\"run\":\"see1\"");
    }

    @Test
    void events_unknownFormat_isRefused() {
        assertThat(run("events", "--format", "xml")).contains("--format: xml (expected: text, json, trace)");
    }

    private static String run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Main.run(List.of(arguments), Map.of(), stream, stream);
        return out.toString(StandardCharsets.UTF_8);
    }
}
