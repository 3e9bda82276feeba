/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker whose program does not get there, and one whose process stands still: nobody waits for ever. */
@Tag("once")
@Timeout(120)
final class OperationTimeoutE2E {
    private static final List<String> TIMES =
            List.of("--lease-ttl", "2s", "--peer-timeout", "2900ms", "--operation-timeout", "3s");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void programThatNeverCalls_endsTheRunNamingRankAndTime() {
        assertNamed("auto");
    }

    @Test
    @Tag("soak")
    void programThatNeverCalls_overTcp_endsTheRunNamingRankAndTime() {
        assertNamed("tcp");
    }

    private void assertNamed(String transport) {
        List<String> options = new ArrayList<>(TIMES);
        options.addAll(List.of("--standalone", "--nproc-per-node", "3", "--max-restarts", "0"));
        options.addAll(List.of("--env", "ELASTIC_TRANSPORT=" + transport));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                LateProgram.class.getName()));

        AgentProcess agent = run.agent(options, List.of("samples/target/elastic-samples.jar"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
        assertThat(agent.output())
                .containsPattern("CollectiveTimeoutException: allReduce\\(long\\[1\\], SUM\\) as operation 10 at "
                        + LateProgram.class.getName()
                        + ".main:\\d+ waited \\d{4,} ms for ranks \\[1\\] of round 1");
    }

    /** A process that stands still is waited for no longer than the operation, too, if it was not called before. */
    @Test
    void processThatStandsStill_isNamedByTheOthers_andTheRunGoesOn() {
        List<String> options = new ArrayList<>(TIMES);
        options.addAll(List.of("--standalone", "--nproc-per-node", "3", "--restart-policy", "soft"));
        options.addAll(List.of("--pause-timeout", "1s", "--shutdown-timeout", "1s"));
        AgentProcess agent = run.agent(options, run.training(100));
        long round = run.awaitTogether(3, agent);
        run.awaitStep(10);

        AgentProcess.send("STOP", agent.worker(agent.log().running().get(1).pid()));
        run.awaitTogether(round, 3, agent);
        run.hurryUp();

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.log().all("incident.detected"))
                .extracting(event -> event.text("message"))
                .anyMatch(message -> message.matches("(?s).*CollectiveTimeoutException: .* at"
                        + " dev.elasticrun.samples.Train.work:\\d+ waited \\d{4,} ms for ranks \\[1\\] of round 1.*"));
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.steps())
                .isEqualTo(100));
    }
}
