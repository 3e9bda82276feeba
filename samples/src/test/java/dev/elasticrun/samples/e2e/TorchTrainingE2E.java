/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Torch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A script for torchrun, unmodified, by a line of torchrun: a rank is killed, and the model is that of the calm run. */
@Tag("slow")
@Timeout(240)
final class TorchTrainingE2E {
    private static final int STEPS = 120;
    private static final Pattern PARAMETERS = Pattern.compile("parameters ([0-9a-f]{64}) loss");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void ddp_rankKilled_modelIsThatOfTheCalmRun() throws IOException {
        Torch torch = Torch.find();
        AgentProcess[] calm = pair(torch, "calm");
        String expected = parameters(calm);

        AgentProcess[] stormy = pair(torch, "stormy");
        stormy[0].awaitOutput("checkpoint of step 50", TestRun.LIMIT);
        long pid = stormy[1].log().running().stream()
                .mapToLong(AgentLog.Slot::pid)
                .findFirst()
                .orElseThrow();
        stormy[1].worker(pid).destroyForcibly();

        assertThat(parameters(stormy)).isEqualTo(expected);
        assertThat(stormy[0].output())
                .contains("rank 0 of 2 begins at step 0")
                .containsPattern("rank 0 of 2 begins at step [5-9]0");
    }

    /** By node rank. */
    private AgentProcess[] pair(Torch torch, String name) throws IOException {
        int port = FreePort.find();
        Path script = run.directory().resolve("ddp.py");
        try (InputStream source = Objects.requireNonNull(getClass().getResourceAsStream("/ddp.py"))) {
            Files.write(script, source.readAllBytes());
        }
        AgentProcess[] agents = new AgentProcess[2];
        for (int node = 0; node < agents.length; node++) {
            agents[node] = run.agent(
                    torch.environment(),
                    List.of(
                            "--nnodes=2",
                            "--nproc_per_node=1",
                            "--node_rank=" + node,
                            "--master_addr=127.0.0.1",
                            "--master_port=" + port,
                            "--max_restarts=3",
                            "--tee=3"),
                    List.of(
                            script.toString(),
                            Integer.toString(STEPS),
                            run.directory().resolve(name + ".pt").toString()));
        }
        return agents;
    }

    private static String parameters(AgentProcess[] agents) {
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }
        Matcher matcher = PARAMETERS.matcher(agents[0].output());
        assertThat(matcher.find()).as(agents[0]::console).isTrue();
        return matcher.group(1);
    }
}
