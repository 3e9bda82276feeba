/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two agents of one host with nothing but each other: the first serves the store, and stays until the second has left. */
@Timeout(120)
final class EmbeddedPairE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agents_sameAddress_firstServesAndEndsLast() throws IOException {
        List<String> options = List.of(
                "--nnodes",
                "2",
                "--nproc-per-node",
                "2",
                "--restart-policy",
                "soft",
                "--run-id",
                run.id(),
                "--rdzv-backend",
                "embedded",
                "--rdzv-endpoint",
                "127.0.0.1:" + freePort());
        AgentProcess serving = run.agent(options, Project.training(100, 20));
        serving.awaitOutput("joined incarnation", TestRun.LIMIT);
        AgentProcess joining = run.agent(options, Project.training(100, 20));

        assertThat(joining.exitCode(TestRun.LIMIT)).as(joining::console).isZero();
        assertThat(serving.exitCode(TestRun.LIMIT)).as(serving::console).isZero();

        assertThat(run.trained()).singleElement();
        assertThat(run.steps()).isNotEmpty().allSatisfy(step -> assertThat(step.world())
                .isEqualTo(4));
        assertThat(serving.output()).contains("store=127.0.0.1:");
        assertThat(joining.output()).doesNotContain("store=127.0.0.1:");
    }

    @Test
    void agents_startedTogether_oneServesAndBothFinish() throws IOException {
        List<String> options = List.of(
                "--nnodes",
                "2",
                "--run-id",
                run.id(),
                "--rdzv-backend",
                "embedded",
                "--rdzv-endpoint",
                "127.0.0.1:" + freePort());
        List<String> program = List.of("samples/target/elastic-samples.jar", "all-reduce");
        AgentProcess one = run.agent(options, program);
        AgentProcess other = run.agent(options, program);

        assertThat(one.exitCode(TestRun.LIMIT)).as(one::console).isZero();
        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
