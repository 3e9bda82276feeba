/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real runs of one node whose standard error is a pipe that nobody reads. */
@Timeout(120)
@Tag("once")
final class StuckConsoleIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @Test
    void pipeThatNobodyReads_holdsUpNeitherRestartsNorTheEnd() throws Exception {
        Path attempts = directory.resolve("attempts");
        String program = "echo x >> '" + attempts + "'; yes | head -c 200000 >&2;" + " [ $(wc -l < '" + attempts
                + "') -gt 2 ] || exit 3; sleep 1000";
        String runId = "stuck-" + UUID.randomUUID();
        try (Script script = Script.withoutReader(
                directory,
                "--standalone",
                "--run-id",
                runId,
                "--log-dir",
                directory.resolve("logs").toString(),
                "sh",
                "-c",
                program)) {
            await().atMost(PATIENCE).until(() -> Files.exists(attempts) && lines(attempts) == 3);
            try (Script status = Script.start(directory, "status", "--run-id", runId)) {
                assertThat(status.exitCode()).as(status.err()).isZero();
            }
            script.signal("TERM");
            long asked = System.nanoTime();
            assertThat(script.exitCode()).isEqualTo(143);
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
        }
    }

    private static int lines(Path file) throws Exception {
        List<String> lines = Files.readAllLines(file);
        return lines.size();
    }
}
