/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Patience;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes beside the round: one that takes a lost place, and one that a worker wanted out. */
@Tag("once")
@Timeout(120)
final class StandbyE2E {

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void standby_theOnlyMemberIsLost_takesItsPlace() throws IOException {
        Path stop = run.directory().resolve("stop");
        List<String> options = run.onEtcd("--nnodes", "1");
        List<String> program =
                List.of("sh", "-c", "echo at work; while ! [ -e \"$0\" ]; do sleep 0.05; done", stop.toString());
        AgentProcess member = run.agent(options, program);
        awaitWork(member);
        AgentProcess standby = run.agent(options, program);
        standby.awaitOutput("joined incarnation", TestRun.LIMIT);
        assertThat(standby.log().everStarted()).isEmpty();

        AgentProcess.send("KILL", member.jvm());
        awaitWork(standby);
        Files.createFile(stop);

        assertThat(standby.exitCode(TestRun.LIMIT)).as(standby::console).isZero();
        assertThat(standby.log().everStarted()).hasSize(1);
        assertThat(member.exitCode(TestRun.LIMIT)).isNotZero();
    }

    @Test
    void node_thatAWorkerWantsOut_standsByAndSaysWhy() {
        List<String> options = run.onEtcd(
                "--nnodes",
                "1:2",
                "--restart-policy",
                "soft",
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                ExcludeProgram.class.getName());
        List<String> program = List.of("samples/target/elastic-samples.jar");
        AgentProcess one = run.agent(options, program);
        AgentProcess other = run.agent(options, program);

        assertThat(one.exitCode(TestRun.LIMIT)).as(one::console).isZero();
        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isZero();

        AgentProcess excluded = one.log().all("node.exclude_requested").isEmpty() ? other : one;
        AgentProcess staying = excluded == one ? other : one;
        assertThat(excluded.log().all("node.exclude_requested"))
                .extracting(event -> event.text("message"))
                .contains("the disk is bad");
        List<LoggedEvent> rounds = staying.log().all("work.published");
        assertThat(rounds.get(rounds.size() - 1).number("world_size")).isEqualTo(1);
        assertThat(one.output() + other.output())
                .contains("a worker excluded " + excluded.nodeId().orElseThrow() + ": the disk is bad");
    }

    private static void awaitWork(AgentProcess agent) {
        Patience.until(
                "work",
                TestRun.LIMIT,
                () -> agent.workerOutputs().stream().anyMatch(output -> output.contains("at work")),
                agent::console);
    }
}
