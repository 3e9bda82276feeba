/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever leaves XGBoost's group is not kept by a node that sends nothing any more, though it has rank 0. */
@Tag("soak")
@Timeout(180)
final class XgboostLeaveE2E {
    /** Of XGBoost, in seconds: longer than the test waits for anything. */
    private static final String TIMEOUT = "300";

    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(2);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @Test
    void leave_nodeOfRankZeroIsCutOff_takesNoTimeOfTheirs() {
        List<String> options = run.onEtcd("--nnodes", "1:2", "--restart-policy", "soft", "--last-call-timeout", "60s");
        options.addAll(List.of("--runtime", "xgboost", "--shutdown-timeout", "1s"));
        options.addAll(List.of("--main-class", LeaveProgram.class.getName()));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString()));
        List<String> program = List.of("samples/target/elastic-samples.jar", TIMEOUT);
        AgentProcess silent = run.agent(LAB.node(0), options, program);
        AgentProcess survivor = run.agent(LAB.node(1), options, program);
        awaitReported(silent, "rank 0 of 2");
        awaitReported(survivor, "rank 1 of 2");

        LAB.node(0).unplug();

        awaitReported(survivor, "left the group");
        assertThat(survivor.exitCode(TestRun.LIMIT)).as(survivor::console).isZero();
        LAB.node(0).plug();
        assertThat(silent.exitCode(TestRun.LIMIT)).as(silent::console).isZero();
    }

    private static void awaitReported(AgentProcess agent, String text) {
        Patience.until(
                text,
                TestRun.LIMIT,
                () -> String.join("", agent.workerOutputs()).contains(text),
                agent::everything);
    }
}
