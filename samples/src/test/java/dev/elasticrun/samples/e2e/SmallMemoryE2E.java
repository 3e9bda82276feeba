/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With the /dev/shm that containers have unless they are given more. */
@Tag("once")
@Timeout(120)
final class SmallMemoryE2E {
    private static final int SHARED_MEBIBYTES = 64;

    @RegisterExtension
    final TestRun run = new TestRun();

    /** A state that fits once goes to the disk as often as it must, one that never fits always. */
    @ParameterizedTest(name = "{0}, {1} MiB")
    @CsvSource({"soft-replace, 40", "hard, 80"})
    void workerKilled_runGoesOnFromTheState(String policy, int mebibytes) throws IOException {
        Path end = run.directory().resolve("end");
        List<String> options = new ArrayList<>(
                List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", policy, "--max-restarts", "1"));
        options.addAll(List.of("--java-opts", "-Xmx900m"));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                LargeStateProgram.class.getName()));
        AgentProcess agent = run.agentWithSharedMemory(
                SHARED_MEBIBYTES,
                options,
                List.of("samples/target/elastic-samples.jar", Integer.toString(mebibytes << 20), end.toString()));
        long round = run.awaitTogether(2, agent);
        agent.await("checkpoints", TestRun.LIMIT, log -> agent.workerOutputs().stream()
                .allMatch(output -> output.contains("keeps version 4")));

        Recoveries.killWorker(agent);
        run.awaitTogether(round, 2, agent);
        Files.createFile(end);

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.log().all("state.lost")).isEmpty();
        assertThat(agent.log().everStarted()).hasSize(policy.equals("soft-replace") ? 3 : 4);
    }
}
