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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With the /dev/shm that containers have unless they are given more. */
@Tag("slow")
@Timeout(120)
final class SmallMemoryE2E {
    private static final int SHARED_MEBIBYTES = 64;

    @RegisterExtension
    final TestRun run = new TestRun();

    /** A state that fits once goes to the disk as often as it must, one that never fits always. */
    @ParameterizedTest(name = "{0}, {1} MiB")
    @CsvSource({"soft-replace, 40", "hard, 80"})
    void workerKilled_runGoesOnFromTheState(String policy, int mebibytes) throws IOException {
        AgentProcess agent = start(mebibytes, List.of("--standalone", "--restart-policy", policy));
        long round = run.awaitTogether(2, agent);
        awaitCheckpoints(agent);

        Recoveries.killWorker(agent);
        run.awaitTogether(round, 2, agent);

        assertGoesOn(agent);
        assertThat(agent.log().everStarted()).hasSize(policy.equals("soft-replace") ? 3 : 4);
    }

    @Test
    @Tag("soak")
    void workerKilled_otherNodeStays() throws IOException {
        List<String> options = run.onEtcd("--nnodes", "1:2", "--restart-policy", "soft", "--lease-ttl", "10s");
        AgentProcess steady = start(40, options);
        AgentProcess stumbling = start(40, options);
        long round = run.awaitTogether(4, steady, stumbling);
        awaitCheckpoints(steady);

        Recoveries.killWorker(stumbling);
        run.awaitTogether(round, 4, steady, stumbling);

        assertGoesOn(steady, stumbling);
        assertThat(steady.log().everStarted()).hasSize(2);
    }

    private AgentProcess start(int mebibytes, List<String> more) {
        List<String> options = new ArrayList<>(more);
        options.addAll(List.of("--nproc-per-node", "2", "--max-restarts", "1", "--java-opts", "-Xmx900m"));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                LargeStateProgram.class.getName()));
        return run.agentWithSharedMemory(
                SHARED_MEBIBYTES,
                options,
                List.of("samples/target/elastic-samples.jar", Integer.toString(mebibytes << 20), end().toString()));
    }

    private static void awaitCheckpoints(AgentProcess agent) {
        agent.await("checkpoints", TestRun.LIMIT, log -> agent.workerOutputs().stream()
                .allMatch(output -> output.contains("keeps version 4")));
    }

    private void assertGoesOn(AgentProcess... agents) throws IOException {
        Files.createFile(end());
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("state.lost")).isEmpty();
        }
    }

    private Path end() {
        return run.directory().resolve("end");
    }
}
