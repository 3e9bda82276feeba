/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real runs of one node through the script. */
@Timeout(120)
final class RunIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String runId = "it-" + UUID.randomUUID();

    @TempDir
    private Path directory;

    @Test
    void programThatSucceeds_endsWithZero() throws Exception {
        try (Script script = run("/bin/true")) {
            assertThat(script.exitCode()).as(script.err()).isZero();
            assertThat(script.err().lines())
                    .containsSubsequence("elastic-run: succeeded: all workers ended with exit code 0")
                    .last()
                    .asString()
                    .startsWith("  logs:    ");
        }
    }

    @Test
    void logFormatJson_eachLineIsAnObject_theReportToo() throws Exception {
        try (Script script = run("--log-format", "json", "/bin/true")) {
            assertThat(script.exitCode()).as(script.err()).isZero();
            ObjectMapper json = new ObjectMapper();
            List<JsonNode> lines = new ArrayList<>();
            for (String line : script.err().lines().toList()) {
                lines.add(json.readTree(line));
            }
            assertThat(lines).allSatisfy(line -> {
                assertThat(line.path("run").asText()).isEqualTo(runId);
                assertThat(line.path("node").asText()).isNotEmpty();
            });
            assertThat(lines.get(lines.size() - 1).path("message").asText()).startsWith("elastic-run: succeeded: ");
        }
    }

    @Test
    void logLevelError_leavesTheReport() throws Exception {
        try (Script script = run("--log-level", "error", "/bin/true")) {
            assertThat(script.exitCode()).as(script.err()).isZero();
            assertThat(script.err()).startsWith("elastic-run: succeeded: ");
        }
    }

    @Test
    void programThatFails_withoutRestarts_endsWithOneAndAReport() throws Exception {
        try (Script script = run("--max-restarts", "0", "sh", "-c", "echo last words >&2; exit 7")) {
            assertThat(script.exitCode()).as(script.err()).isEqualTo(1);
            assertThat(script.err())
                    .contains("elastic-run: exit 1: ")
                    .contains("root cause: rank 0 on ")
                    .contains("ended:   exit code 7")
                    .contains("| last words")
                    .contains("worker-0.0/stderr.log");
        }
    }

    @Test
    void l4_programThatFails_whenTheBudgetIsUsed_endsWithFourAndKeepsTheLogsOfAllAttempts() throws Exception {
        String program = "echo out $ELASTIC_RESTART_COUNT; echo loss >&2; exit 3";
        try (Script script = run(
                "--max-restarts",
                "1",
                "--tee",
                "0:both",
                "--log-prefix",
                "<${rank}.${attempt}>",
                "sh",
                "-c",
                program)) {
            assertThat(script.exitCode()).as(script.err()).isEqualTo(4);
            assertThat(script.err()).contains("attempt 1", "<0.0> loss\n", "<0.1> loss\n");
            assertThat(script.out()).contains("<0.0> out 0\n", "<0.1> out 1\n");
        }
        try (Stream<Path> logs = Files.walk(directory.resolve("logs"))) {
            assertThat(logs.filter(file -> file.endsWith("stdout.log")).map(RunIT::read))
                    .containsExactlyInAnyOrder("out 0\n", "out 1\n");
        }
    }

    @Test
    void outputOfRankZero_isOnTheConsole_andArgumentsArriveAsTheyAre() throws Exception {
        try (Script script = run(
                "--nproc-per-node",
                "2",
                "--env",
                "GREETING=a b",
                "sh",
                "-c",
                "echo \"$GREETING $RANK of $WORLD_SIZE $1\"",
                "--",
                "--nnodes")) {
            assertThat(script.exitCode()).as(script.err()).isZero();
            assertThat(script.out()).isEqualTo("[default 0]: a b 0 of 2 --nnodes\n");
        }
    }

    @Test
    void c2_twoStandaloneRunsOfOneName_doNotMeet() throws Exception {
        try (Script one = run("sleep", "1000")) {
            awaitWorkers(1);
            try (Script other = run("/bin/true")) {
                assertThat(other.exitCode()).as(other.err()).isZero();
            }
            one.signal("TERM");
            assertThat(one.exitCode()).as(one.err()).isEqualTo(143);
        }
    }

    @Test
    void status_showsTheWorkers() throws Exception {
        try (Script script = run("--nproc-per-node", "2", "sleep", "1000")) {
            JsonNode status = awaitWorkers(2);
            assertThat(status.path("world_size").asInt()).isEqualTo(2);
            for (JsonNode worker : status.path("nodes").path(0).path("workers")) {
                assertThat(script.processes()).contains(worker.path("pid").asLong());
            }
            try (Script text = Script.start(directory, "status", "--run-id", runId)) {
                assertThat(text.exitCode()).isZero();
                assertThat(text.out()).contains("run " + runId).contains("world size 2");
            }
            script.signal("TERM");
            assertThat(script.exitCode()).as(script.err()).isEqualTo(143);
        }
    }

    @Test
    void logs_ofARunThatGoesOn_areThoseOfTheRank_andEndWithIt() throws Exception {
        String program = "echo rank $RANK of $WORLD_SIZE; echo error >&2; sleep 1000";
        try (Script script = run("--nproc-per-node", "2", "sh", "-c", program)) {
            awaitWorkers(2);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(() -> assertThat(logs("--rank", "1")).isEqualTo("[rank 1]: rank 1 of 2\n"));
            assertThat(logs().lines()).containsExactlyInAnyOrder("[rank 0]: rank 0 of 2", "[rank 1]: rank 1 of 2");
            try (Script unknown = Script.start(directory, "logs", "--run-id", runId, "--rank", "2");
                    Script follower = Script.start(directory, "logs", "--run-id", runId, "-f")) {
                assertThat(unknown.exitCode()).isEqualTo(2);
                assertThat(unknown.err()).contains("--rank: 2 (expected: a rank below 2)");
                await().atMost(PATIENCE).until(() -> follower.err().contains("[rank 1]: error\n"));
                script.signal("TERM");
                assertThat(follower.exitCode()).as(follower.err()).isZero();
            }
            assertThat(script.exitCode()).as(script.err()).isEqualTo(143);
        }
    }

    @Test
    void reader_thatGoes_endsCommandsThatFollow() throws Exception {
        try (Script script = run("sh", "-c", "while :; do echo tick; sleep 0.1; done")) {
            awaitWorkers(1);
            for (String command : List.of("logs --follow", "status --watch 0.2")) {
                String pipe = "'" + Script.path() + "' " + command + " --run-id " + runId + " | head -n 1";
                try (Script follower = Script.of(directory, List.of("sh", "-c", pipe))) {
                    assertThat(follower.exitCode()).as(follower.err()).isZero();
                }
            }
            script.signal("TERM");
            assertThat(script.exitCode()).as(script.err()).isEqualTo(143);
        }
    }

    @Test
    void escapesOfWorkers_reachNoTerminal() throws Exception {
        String error = "{\"message\":\"a\\u001b[2J\\n2026-01-01T00:00:00.000Z INFO forged\"}";
        String program = "printf 'out\\033]0;title\\007\\n'; printf '%s' '" + error + "' >$ELASTIC_ERROR_FILE; exit 3";
        try (Script script = run("--max-restarts", "0", "--no-console", "sh", "-c", program)) {
            assertThat(script.exitCode()).isEqualTo(1);
            assertThat(script.err()).contains("a\\u001b[2J").doesNotContain("\u001b");
            assertThat(script.err().lines()).noneMatch(line -> line.startsWith("2026-01-01T"));
        }
        String logDirectory = directory.resolve("logs").toString();
        for (String command : List.of("explain", "events")) {
            try (Script text = Script.start(directory, command, "--run-id", runId, "--log-dir", logDirectory)) {
                assertThat(text.exitCode()).as(text.err()).isZero();
                assertThat(text.out()).doesNotContain("\u001b");
            }
        }
    }

    private String logs(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("logs", "--run-id", runId));
        arguments.addAll(List.of(more));
        try (Script script = Script.start(directory, arguments.toArray(String[]::new))) {
            assertThat(script.exitCode()).as(script.err()).isZero();
            return script.out();
        }
    }

    @Test
    void interrupt_drains() throws Exception {
        try (Script script = run("sleep", "1000")) {
            awaitWorkers(1);
            script.signal("INT");
            assertThat(script.exitCode()).as(script.err()).isEqualTo(130);
            assertThat(script.err()).contains("elastic-run: exit 130: ");
        }
    }

    @Test
    void signalsOfSchedulers_thatNobodyAskedFor_areIgnored() throws Exception {
        try (Script script = run("sleep", "1000")) {
            awaitWorkers(1);
            for (String name : List.of("USR1", "USR2")) {
                script.signal(name);
                await().atMost(PATIENCE).until(() -> script.err().contains("SIG" + name + " is ignored"));
            }
            script.signal("TERM");
            assertThat(script.exitCode()).as(script.err()).isEqualTo(143);
        }
    }

    @Test
    void secondSignal_doesNotWaitForTheGrace() throws Exception {
        Path deaf = directory.resolve("deaf");
        String program = "trap '' TERM; touch '" + deaf + "'; while :; do sleep 1; done";
        try (Script script = run("--shutdown-timeout", "1h", "sh", "-c", program)) {
            awaitWorkers(1);
            await().atMost(PATIENCE).until(() -> Files.exists(deaf));
            script.signal("TERM");
            await().atMost(PATIENCE).until(() -> script.err().contains("leaving the round"));
            script.signal("TERM");
            assertThat(script.exitCode()).as(script.err()).isEqualTo(143);
        }
    }

    private Script run(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--standalone",
                "--run-id",
                runId,
                "--log-dir",
                directory.resolve("logs").toString()));
        all.addAll(List.of(arguments));
        return Script.start(directory, all.toArray(String[]::new));
    }

    private JsonNode awaitWorkers(int count) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        this::status,
                        status -> status.findValues("rank").stream()
                                                .filter(JsonNode::isInt)
                                                .count()
                                        == count
                                && status.findValues("pid").stream().allMatch(pid -> pid.asLong() > 0));
    }

    private JsonNode status() throws Exception {
        try (Script script = Script.start(directory, "status", "--run-id", runId, "--json")) {
            return script.exitCode() == 0
                    ? new ObjectMapper().readTree(script.out())
                    : new ObjectMapper().createObjectNode();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
