/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A rank hangs in an endless loop, then in a deadlock, then as a stopped process: it is found, and not its peers. */
@Tag("once")
@Timeout(120)
final class HangE2E {
    private static final int CULPRIT = 1;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void rankHangs_isFoundWithItsStackAndReplaced_andTheRunGoesOn() {
        AgentProcess agent = run.agent(
                List.of(
                        "--standalone",
                        "--nproc-per-node",
                        "3",
                        "--restart-policy",
                        "hard",
                        "--hang-timeout",
                        "2s",
                        "--class-path",
                        Project.ROOT.resolve("samples/target/test-classes").toString(),
                        "--main-class",
                        HangProgram.class.getName()),
                List.of("samples/target/elastic-samples.jar"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();

        assertThat(agent.workerOutputs())
                .filteredOn(output -> output.equals("done after 3\n"))
                .hasSize(3);
        List<RunEvent.WorkerFailed> incidents = agent.log().all(RunEvent.WorkerFailed.class).stream()
                .filter(event -> event.found().how() == FailureKind.HANG)
                .toList();
        assertThat(incidents).hasSize(3).allSatisfy(event -> {
            assertThat(event.worker().slot()).isEqualTo(CULPRIT);
            assertThat(event.rank()).isEqualTo(CULPRIT);
        });
        assertThat(incidents.get(0).found().message()).contains("step 200", HangProgram.class.getName() + ".spin(");
        assertThat(incidents.get(1).found().message())
                .contains("exchange (limit 0.3 s)", "(deadlock)", HangProgram.class.getName() + ".takeBoth(");
        assertThat(incidents.get(2).found().message()).contains("step 200", "SIGSTOP");
        assertThat(agent.saved("hang.txt"))
                .hasSize(3)
                .allSatisfy(saved -> assertThat(saved).startsWith("hang: ").contains("about to hang "));
        assertThat(agent.saved("hang.txt"))
                .filteredOn(saved -> saved.contains("Full thread dump"))
                .hasSize(2);
    }
}
