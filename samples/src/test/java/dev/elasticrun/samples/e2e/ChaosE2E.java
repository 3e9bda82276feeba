/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.LogFiles;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Remains;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code elastic-run chaos} with two agents and a worker each. What it leaves behind is looked for after each test. */
@Timeout(120)
@Tag("once")
final class ChaosE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void storm_ofWorkersAndAgents_isReported_andMissesItsBound() throws IOException {
        Path directory = run.directory().resolve("chaos");

        Command.Result result = Command.run(
                environment(),
                TestRun.LIMIT,
                command(
                        directory,
                        "--faults=worker=3,node=1",
                        "--for=14s",
                        "--every=3s",
                        "--calm=3s",
                        "--seed=5",
                        "--min-goodput=0.95"));

        assertThat(result.exitCode()).as(result.output()).isOne();
        JsonNode report = new ObjectMapper().readTree(Files.readString(directory.resolve("report.json")));
        SchemaFile.of("chaos.json").assertDescribes(report);
        Set<Long> killed = faults(report, "worker").stream()
                .map(fault -> fault.path("pid").asLong())
                .collect(Collectors.toSet());
        assertThat(killed).isNotEmpty();
        assertThat(faults(report, "node")).isNotEmpty();
        assertThat(events(directory).stream()
                        .filter(event -> event.path("kind").asText().equals("worker.exited"))
                        .map(event -> event.path("pid").asLong()))
                .containsAll(killed);
        assertThat(report.path("recovery").path("all").path("injected").asInt())
                .isEqualTo(killed.size() + faults(report, "node").size());
        assertThat(report.path("steps").asLong()).isPositive();
        assertThat(report.path("calm").path("step_seconds").asDouble()).isBetween(0.01, 0.2);
        assertThat(report.path("goodput").asDouble()).isBetween(0.01, 0.95);
        assertThat(report.path("state_lost").asInt()).isZero();
        assertThat(report.path("agents_took").path("ended_by_themselves")).isEmpty();
        assertThat(report.path("violations")).singleElement().satisfies(missed -> assertThat(missed.asText())
                .startsWith("--min-goodput"));
        assertThat(directory.resolve("report.html")).content().contains("<svg");
        assertThat(result.output()).contains("| hard | " + killed.size() + ", 0, ");
    }

    @Test
    void command_killed_takesItsAgentsWithIt() throws IOException {
        Path directory = run.directory().resolve("chaos");
        ProcessBuilder builder = new ProcessBuilder(command(directory, "--calm=100s"))
                .directory(Project.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(run.directory().resolve("chaos.txt").toFile());
        builder.environment().putAll(environment());
        Process chaos = builder.start();
        try {
            Patience.until(
                    "two workers at work",
                    TestRun.LIMIT,
                    () -> events(directory).stream()
                                    .filter(event -> event.path("kind").asText().equals("worker.resumed"))
                                    .count()
                            >= 2,
                    () -> "of " + directory);
        } finally {
            chaos.destroyForcibly();
        }

        assertThat(chaos.onExit().orTimeout(10, TimeUnit.SECONDS).join().exitValue())
                .isNotZero();
        Patience.until(
                "the directories of its agents are gone",
                TestRun.LIMIT,
                () -> Remains.hasNoNodeDirectory(run.temporary()),
                () -> "in " + run.temporary());
    }

    private Map<String, String> environment() {
        return Map.of("TMPDIR", run.temporary().toString());
    }

    private static List<String> command(Path directory, String... flags) {
        List<String> command = new ArrayList<>(List.of(Project.LAUNCHER.toString(), "chaos"));
        command.addAll(List.of(flags));
        command.addAll(List.of("--output=" + directory, "--", "--nnodes=1:2", "--restart-policy=hard"));
        command.addAll(Project.training(1_000_000, 20));
        return command;
    }

    private static List<JsonNode> faults(JsonNode report, String kind) {
        return StreamSupport.stream(report.path("faults").spliterator(), false)
                .filter(fault -> fault.path("kind").asText().equals(kind))
                .filter(fault -> fault.path("left_out").asText().isEmpty())
                .toList();
    }

    private static List<JsonNode> events(Path directory) {
        Path logs = directory.resolve("logs");
        if (!Files.isDirectory(logs)) {
            return List.of();
        }
        return new LogFiles(logs)
                .named(LogFiles.EVENTS).stream()
                        .flatMap(file -> LogFiles.events(file).stream())
                        .map(LoggedEvent::fields)
                        .toList();
    }
}
