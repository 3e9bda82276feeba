/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Local states of four nodes by parity, one of which is lost with its agent. */
@Tag("once")
@Timeout(90)
final class LocalParityE2E {
    private static final int BYTES = 3_000_000;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agentAndWorkerKilled_theStateIsWithASurvivorToTheLastBit() throws IOException {
        Path end = run.directory().resolve("end");
        List<AgentProcess> agents = new ArrayList<>();
        for (int node = 0; node < 4; node++) {
            agents.add(start(end));
        }
        long round = run.awaitTogether(4, agents.toArray(AgentProcess[]::new));

        AgentProcess victim = agents.remove(1);
        Patience.until(
                "the third version",
                TestRun.LIMIT,
                () -> victim.workerOutputs().stream().anyMatch(output -> output.contains("keeps version 3")),
                victim::console);
        ProcessHandle worker = victim.worker(victim.log().running().get(0).pid());
        victim.jvm().destroyForcibly();
        worker.destroyForcibly();
        run.awaitTogether(round, 3, agents.toArray(AgentProcess[]::new));
        Files.createFile(end);

        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("state.local_lost")).isEmpty();
        }
        List<String> outputs =
                agents.stream().flatMap(agent -> agent.workerOutputs().stream()).toList();
        assertThat(outputs).hasSize(3).allMatch(output -> output.contains("done at version "));
        assertThat(outputs)
                .filteredOn(output -> output.contains("has the state of rank "))
                .hasSize(1);
        assertThat(agents)
                .anyMatch(agent -> agent.saved("stderr.log").stream().anyMatch(log -> log.contains("from parity: ")));
    }

    private AgentProcess start(Path end) {
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", "3:4", "--lease-ttl", "2s"));
        options.addAll(List.of("--restart-policy", "soft", "--checkpoint-parity", "4", "--last-call-timeout", "1s"));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                LocalStateProgram.class.getName()));
        return run.agent(options, List.of("samples/target/elastic-samples.jar", String.valueOf(BYTES), end.toString()));
    }
}
