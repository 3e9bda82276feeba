/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplyFileTest {
    private static final Failure ROOT = new Failure(
            new Failure.Worker("a-1", "host-a", 1, 0, 5, 4711),
            3,
            7,
            new Failure.Evidence(FailureKind.EXCEPTION, "row 3", "at line 7", List.of("last"), "/logs/stderr.log", ""),
            false,
            0);

    @TempDir
    private Path directory;

    @Test
    void e5_workerFailed_isItsReportWithTheExitCode_inTheSteadOfAnOlderOne() throws IOException {
        Files.writeString(file(), "old");

        write(file(), result(1, List.of(ROOT)));

        JsonNode json = new ObjectMapper().readTree(file().toFile());
        assertThat(json.path("message").asText()).isEqualTo("row 3");
        assertThat(json.path("stack").asText()).isEqualTo("at line 7");
        assertThat(json.path("rank").asInt()).isEqualTo(5);
        assertThat(json.path("exit_code").asInt()).isEqualTo(7);
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void e5_noWorkerFailed_leavesNothing() {
        write(file(), result(0, List.of()));
        write(file(), result(3, List.of()));
        ReplyFile.write(Map.of(), result(1, List.of(ROOT)), Instant.EPOCH);

        assertThat(file()).doesNotExist();
    }

    @Test
    void e6_fileThatCannotBeWritten_isOnlyAWarning() {
        write(directory.resolve("missing/error.json"), result(1, List.of(ROOT)));

        assertThat(directory).isEmptyDirectory();
    }

    private void write(Path file, LaunchResult result) {
        ReplyFile.write(Map.of(ReplyFile.VARIABLE, file.toString()), result, Instant.EPOCH);
    }

    private Path file() {
        return directory.resolve("error.json");
    }

    private static LaunchResult result(int exitCode, List<Failure> failures) {
        return new LaunchResult(exitCode, "reason", "a-1", List.of(), List.of(), failures);
    }
}
