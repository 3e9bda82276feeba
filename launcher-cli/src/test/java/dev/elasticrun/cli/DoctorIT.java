/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code elastic-run doctor}, as users run it: what it prints, and how it ends. */
@Tag("once")
@Timeout(120)
final class DoctorIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path directory;

    private Script doctor(String... arguments) throws IOException {
        return Script.start(
                directory,
                Stream.concat(Stream.of("doctor"), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    void node_withoutFlags_isReadyAndKeepsNothing() throws Exception {
        try (Script script = doctor("--log-dir", directory.resolve("logs").toString())) {
            assertThat(script.exitCode()).as(script.err()).isZero();
            assertThat(script.out()).contains("java of the agent", "run directory", "store", ": ready, 0 errors, ");
            assertThat(script.err()).isEmpty();
            assertThat(directory.resolve("logs")).doesNotExist();
        }
    }

    @Test
    void node_withErrors_endsWithOneAndReportsWhatToDo() throws Exception {
        Path noJava = Files.createFile(directory.resolve("java"));
        try (Script script = doctor("--java", noJava.toString())) {
            assertThat(script.exitCode()).isEqualTo(1);
            assertThat(script.out())
                    .contains(
                            "error    java of workers",
                            "-> give --java a Java of version 17 or later",
                            ": not ready, 1 error, ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--checkpoint-size 5x | --checkpoint-size: 5x (expected: a size such as 500k, 64m or 1g, or 0)",
                "--wait soon | --wait: soon (expected: a time such as 500ms, 5s, 2m or 1h; a plain number is seconds)",
                "--wait 2h | --wait: 2h (expected: at most 3600s)",
                "--nnodes 0 | --nnodes: 0 (expected:",
                "--port-range 9-1 | --port-range: 9-1 (expected: A-B with 1 <= A <= B <= 65535)",
                "--runtime nothing | --runtime: nothing (expected: one of",
                "app.jar | argument: app.jar (expected: no arguments here)",
                "--jsn | --jsn: unknown flag (expected: a flag that --help lists; the nearest is --json)"
            })
    void badInput_isNamed(String arguments, String message) throws Exception {
        try (Script script = doctor(arguments.split(" "))) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err()).startsWith("elastic-run: " + message);
            assertThat(script.out()).isEmpty();
        }
    }

    @Test
    void two_inProcessesOfTheirOwn_meetByEtcd() throws Exception {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
            String[] line = {
                "--json",
                "--run-id",
                "pair",
                "--rdzv-endpoint",
                etcd.endpoint(),
                "--checkpoint-size",
                "1m",
                "--wait",
                "60s"
            };
            try (Script first = doctor(line);
                    Script second = doctor(line)) {
                JsonNode one = answer(first);
                JsonNode other = answer(second);

                assertThat(one.at("/peers/0/node").asText())
                        .isEqualTo(other.path("node").asText());
                assertThat(other.at("/peers/0/node").asText())
                        .isEqualTo(one.path("node").asText());
                assertThat(one.at("/peers/0/bytes_per_second").asLong()).isPositive();
            }
            assertThat(etcd.ctl("get", "--prefix", "--keys-only", "/elastic-run/"))
                    .isBlank();
        }
    }

    private static JsonNode answer(Script script) throws Exception {
        assertThat(script.exitCode()).as("%s %s", script.out(), script.err()).isZero();
        SchemaFile.of("doctor.json").assertDescribes(script.out());
        return MAPPER.readTree(script.out());
    }
}
