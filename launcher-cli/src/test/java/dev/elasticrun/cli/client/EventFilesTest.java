/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EventFilesTest {
    @TempDir
    private Path logs;

    @Test
    void merge_ofSeveralNodes_isInTheOrderOfTimes_andLeavesDamagedLinesOut() throws IOException {
        write("a", line("a", "new", 1, "one"), line("a", "new", 4, "four"), "{\"half");
        write("b", line("b", "", 2, "two"), "", line("b", "new", 3, "three"));
        List<String> kinds = new ArrayList<>();

        EventFiles.merge(EventFiles.of(logs.resolve("run")), event -> kinds.add(event.kind()));

        assertThat(kinds).containsExactly("one", "two", "three", "four");
    }

    @Test
    void files_ofSeveralIncarnations_areThoseOfTheNewest() throws IOException {
        write("a", line("a", "old", 1, "one"));
        write("b", line("b", "new", 2, "two"));
        write("never-joined", line("c", "", 3, "three"));

        assertThat(EventFiles.of(logs.resolve("run"))).containsExactly(logs.resolve("run/b/events.jsonl"));
    }

    @Test
    void explain_ofARunOfManyIncidents_showsTheNewest_andAnOlderOneThatIsNamed() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int incident = 1; incident <= 3_000; incident++) {
            lines.add("{\"run\":\"run\",\"incarnation\":\"i\",\"node\":\"a\",\"round\":" + incident + ",\"incident\":\""
                    + incident + "\",\"nanos\":" + incident + ",\"time\":\"2026-01-01T00:00:00." + (100_000 + incident)
                    + "Z\",\"kind\":\"round.sealed\",\"world_size\":1,\"nodes\":[\"a\"],\"cause\":\"c" + incident
                    + "\"}");
        }
        write("a", lines.toArray(String[]::new));

        Command all = run("explain", "--log-dir", logs.toString(), "--run-id", "run");
        Command one = run("explain", "700", "--log-dir", logs.toString(), "--run-id", "run");

        assertThat(all.out()).contains("c3000").doesNotContain("c700.");
        assertThat(all.err()).contains("the newest incidents are shown");
        assertThat(one.out()).contains("c700.").doesNotContain("c699.", "c701.");
    }

    @Test
    void logs_whoseBeginningWasRotatedAway_reportFromWhenOnTheyKnow() throws IOException {
        write(
                "a",
                "{\"offset\":50000000," + line("a", "i", 1, "log.continued").substring(1),
                line("a", "i", 2, "store.well").replace("\"time\"", "\"round\":9,\"incident\":\"9\",\"time\""));

        Command all = run("explain", "--log-dir", logs.toString(), "--run-id", "run");
        assertThat(all.out())
                .contains("no incident is known since 2026-01-01 ")
                .doesNotContain("there was no incident");
        assertThat(all.err()).contains("older events of some node were rotated away: what happened before 2026-01-01 ");
        assertThat(run("explain", "--json", "--log-dir", logs.toString(), "--run-id", "run")
                        .out())
                .contains("\"known_since\" : \"2026-01-01T00:00:01Z\"");
        assertThat(run("explain", "9", "--log-dir", logs.toString(), "--run-id", "run")
                        .err())
                .contains("INCIDENT: 9 (expected: ")
                .doesNotContain("there was no incident");
        assertThat(run("events", "--format", "trace", "--log-dir", logs.toString(), "--run-id", "run")
                        .err())
                .contains("rotated away");
    }

    @Test
    void endedRun_isFoundByTheVariableThatItsAgentHeeded_alsoItsLogs() throws IOException {
        write("a", line("a", "i", 1, "agent.ended"));
        Path worker = Files.createDirectories(logs.resolve("run/a/worker-0.1"));
        Files.writeString(worker.resolve("stdout.log"), "step 1\nstep 2\n");
        Files.writeString(worker.resolve("stderr.log"), "oh\n");
        Map<String, String> environment = Map.of("ELASTICRUN_LOG_DIR", logs.toString());

        assertThat(run(environment, "events", "--run-id", "run").out()).contains("agent.ended");
        assertThat(run(environment, "explain", "--run-id", "run").err()).isEmpty();
        Command written = run(environment, "logs", "--run-id", "run");
        assertThat(written.out().lines()).containsExactly("[a 0.1]: step 1", "[a 0.1]: step 2");
        assertThat(written.err().lines()).containsExactly("[a 0.1]: oh");
    }

    private static Command run(String... arguments) {
        return run(Map.of(), arguments);
    }

    private static Command run(Map<String, String> environment, String... arguments) {
        Captured out = new Captured();
        Captured err = new Captured();
        Main.run(List.of(arguments), environment, out.stream(), err.stream());
        return new Command(out.text(), err.text());
    }

    private record Command(String out, String err) {}

    private static final class Captured {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        PrintStream stream() {
            return new PrintStream(bytes, true, StandardCharsets.UTF_8);
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    private static String line(String node, String incarnation, int second, String kind) {
        return "{\"node\":\"" + node + "\",\"incarnation\":\"" + incarnation + "\",\"time\":\"2026-01-01T00:00:0"
                + second + "Z\",\"kind\":\"" + kind + "\"}";
    }

    private void write(String node, String... lines) throws IOException {
        Path file = logs.resolve("run").resolve(node).resolve("events.jsonl");
        Files.createDirectories(Optional.ofNullable(file.getParent()).orElseThrow());
        Files.writeString(file, String.join("\n", lines) + "\n");
    }
}
