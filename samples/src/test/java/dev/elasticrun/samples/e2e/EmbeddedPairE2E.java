/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two agents of one host with nothing but each other: the first serves the store, and stays until the second has left. */
@Tag("slow")
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
                "127.0.0.1:" + FreePort.find());
        AgentProcess serving = run.agent(options, Project.training(100, 0));
        serving.await(RunEvent.RunJoined.class);
        AgentProcess joining = run.agent(options, Project.training(100, 0));

        assertThat(joining.exitCode(TestRun.LIMIT)).as(joining::console).isZero();
        assertThat(serving.exitCode(TestRun.LIMIT)).as(serving::console).isZero();

        assertThat(run.trained()).hasSize(1);
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
                "127.0.0.1:" + FreePort.find());
        List<String> program = List.of("samples/target/elastic-samples.jar", "all-reduce");
        AgentProcess one = run.agent(options, program);
        AgentProcess other = run.agent(options, program);

        assertThat(one.exitCode(TestRun.LIMIT)).as(one::console).isZero();
        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isZero();
    }

    @Test
    void servingAgent_frozenLongerThanTheLease_resumesAllInTheSameRound() throws IOException {
        Duration lease = Duration.ofSeconds(5);
        List<String> options = together("--restart-policy", "soft", "--lease-ttl", lease.toSeconds() + "s");
        AgentProcess serving = run.agent(options, run.training());
        serving.await(RunEvent.RunJoined.class);
        AgentProcess joining = run.agent(options, run.training());
        long round = run.awaitTogether(2, serving, joining);

        serving.signal("STOP");
        joining.await("fence", TestRun.LIMIT, log -> !log.all("incident.paused").isEmpty());
        Patience.pause(lease);
        serving.signal("CONT");
        for (AgentProcess agent : List.of(serving, joining)) {
            agent.await(
                    "work again",
                    TestRun.LIMIT,
                    log -> log.all("work.published").size() == 2);
        }
        run.hurryUp();

        for (AgentProcess agent : List.of(serving, joining)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().everStarted()).hasSize(1);
            assertThat(agent.log().all("node.lost")).isEmpty();
            assertThat(agent.log().all("work.published"))
                    .extracting(LoggedEvent::round)
                    .containsExactly(round, round);
        }
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.accuracy())
                .isGreaterThanOrEqualTo(0.95));
    }

    @Test
    void servingAgent_drained_servesUntilTheOthersAreDone() throws IOException {
        List<String> options = together("--restart-policy", "soft", "--last-call-timeout", "60s");
        options.set(options.indexOf("--nnodes") + 1, "1:2");
        AgentProcess serving = run.agent(options, run.training());
        serving.await(RunEvent.RunJoined.class);
        AgentProcess joining = run.agent(options, run.training());
        long round = run.awaitTogether(2, serving, joining);

        serving.signal("TERM");
        run.awaitTogether(round, 1, joining);
        run.hurryUp();

        assertThat(joining.exitCode(TestRun.LIMIT)).as(joining::console).isZero();
        assertThat(serving.exitCode(TestRun.LIMIT)).as(serving::console).isEqualTo(143);
        assertThat(joining.log().all("node.fenced")).isEmpty();
        assertThat(run.trained()).hasSize(1);
    }

    /** Options of agents that meet at one free address. */
    private List<String> together(String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--nnodes",
                "2",
                "--run-id",
                run.id(),
                "--rdzv-backend",
                "embedded",
                "--rdzv-endpoint",
                "127.0.0.1:" + FreePort.find()));
        options.addAll(List.of(more));
        return options;
    }
}
