/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An agent that has no descriptors left. */
@Tag("slow")
@Timeout(120)
final class DescriptorsE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agent_withoutDescriptorsForATime_keepsItsWorkersAndReplacesOneAfterwards() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", "soft-replace"),
                run.training(4000));
        long round = run.awaitTogether(2, agent);
        long survivor = agent.log().running().get(0).pid();

        // No number below is free, or hardly one.
        limit(agent, "24");
        agent.awaitOutput("Too many open files", TestRun.LIMIT);
        run.awaitStep(run.lastStep() + 40);
        agent.worker(agent.log().running().get(1).pid()).destroyForcibly();
        agent.await(RunEvent.WorkerFailed.class, failed -> failed.found().how() == FailureKind.SIGNAL);
        limit(agent, "4096");

        run.awaitTogether(round, 2, agent);
        assertThat(agent.log().running().get(0).pid()).isEqualTo(survivor);
        run.hurryUp();
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
    }

    private static void limit(AgentProcess agent, String most) {
        Command.Result set = Command.run(
                Map.of(),
                TestRun.LIMIT,
                List.of("prlimit", "--pid", Long.toString(agent.jvm().pid()), "--nofile=" + most + ":"));
        assertThat(set.exitCode()).as(set.output()).isZero();
    }
}
