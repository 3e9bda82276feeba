/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
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
        standby.await(RunEvent.RunJoined.class);
        assertThat(standby.log().everStarted()).isEmpty();

        AgentProcess.send("KILL", member.jvm());
        awaitWork(standby);
        Files.createFile(stop);

        assertThat(standby.exitCode(TestRun.LIMIT)).as(standby::console).isZero();
        assertThat(standby.log().everStarted()).hasSize(1);
        assertThat(member.exitCode(TestRun.LIMIT)).isNotZero();
    }

    @Test
    void node_thatAWorkerWantsOut_standsByAndReportsWhy() {
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
        assertThat(excluded.log().all(RunEvent.NodeExcludeRequested.class))
                .extracting(RunEvent.NodeExcludeRequested::message)
                .contains(ExcludeProgram.REASON);
        List<RunEvent.WorkPublished> rounds = staying.log().all(RunEvent.WorkPublished.class);
        assertThat(rounds.get(rounds.size() - 1).worldSize()).isOne();
        assertThat(rounds).anySatisfy(round -> assertThat(round.causes())
                .contains(new Cause.AskedByWorker(excluded.nodeId().orElseThrow(), ExcludeProgram.REASON)));
    }

    private static void awaitWork(AgentProcess agent) {
        Patience.until(
                "work",
                TestRun.LIMIT,
                () -> agent.workerOutputs().stream().anyMatch(output -> output.contains("at work")),
                agent::console);
    }
}
