/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A state larger than the heap of a worker, and than the /dev/shm of its node. */
@Tag("slow")
@Timeout(120)
final class StreamedStateE2E {
    private static final int STEPS = 24;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void workerKilledAndNodeJoins_allGoOnFromTheState() {
        AgentProcess first = start();
        long round = run.awaitTogether(2, first);
        run.awaitStep(3);

        Recoveries.killWorker(first);
        round = run.awaitTogether(round, 2, first);
        AgentProcess second = start();
        run.awaitTogether(round, 4, first, second);

        for (AgentProcess agent : List.of(first, second)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("state.lost")).isEmpty();
        }
        assertThat(first.saved("stderr.log")).anyMatch(output -> output.contains("state goes to files in "));
        assertThat(run.trained()).singleElement().extracting(Trained::steps).isEqualTo(STEPS);
        assertThat(first.log().everStarted()).as("the killed one was replaced").hasSize(3);
    }

    private AgentProcess start() {
        List<String> options =
                new ArrayList<>(run.onEtcd("--nnodes", "1:2", "--nproc-per-node", "2", "--lease-ttl", "10s"));
        options.addAll(List.of("--restart-policy", "soft-replace", "--max-restarts", "1", "--java-opts", "-Xmx48m"));
        List<String> program = new ArrayList<>(run.training(STEPS));
        program.addAll(List.of("--state-mib", "80"));
        return run.agentWithSharedMemory(64, options, program);
    }
}
