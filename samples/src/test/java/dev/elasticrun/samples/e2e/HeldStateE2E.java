/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Step;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The workers that hold the state die, and their agent lives: the nodes that continue receive it from that agent. */
@Tag("slow")
@Timeout(120)
final class HeldStateE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void onlyWorkersWithTheState_areKilled_aNodeThatStoodByContinuesFromIt() {
        AgentProcess holder = run.agent(options("1", "--checkpoint-replicas", "1"), run.training());
        run.awaitTogether(1, holder);
        AgentProcess other = run.agent(options("1", "--checkpoint-replicas", "1"), run.training());
        other.await(
                "workers that stand by",
                TestRun.LIMIT,
                log -> log.all("worker.ready").size() == 1);
        run.awaitStep(10);

        holder.worker(holder.log().running().get(0).pid()).destroyForcibly();

        other.await("the state", TestRun.LIMIT, log -> received(log).isPresent());
        Received received = received(other.log()).orElseThrow();
        assertThat(received.from()).isEqualTo(holder.nodeId().orElseThrow());
        assertThat(received.version()).isGreaterThanOrEqualTo(9);
        assertThat(received.bytes()).isPositive();
        assertEndedWell(holder, other);
    }

    private record Received(String from, long version, long bytes) {}

    /** By the round, or as a copy in the moment before it: no other node works then. */
    private static Optional<Received> received(AgentLog log) {
        return Stream.concat(
                        log.all(RunEvent.CheckpointFetched.class).stream()
                                .map(event -> new Received(event.from(), event.version(), event.bytes())),
                        log.all(RunEvent.CheckpointCopied.class).stream()
                                .map(event -> new Received(event.from(), event.version(), event.bytes())))
                .findFirst();
    }

    @Test
    void onlyNodeThatWorks_isLost_theNodeThatStoodByContinuesFromItsCopy() {
        AgentProcess holder = run.agent(options("1"), run.training());
        run.awaitTogether(1, holder);
        run.awaitStep(5);
        AgentProcess other = run.agent(options("1"), run.training());
        RunEvent.CheckpointCopied copied = other.await(RunEvent.CheckpointCopied.class);
        assertThat(copied.from()).isEqualTo(holder.nodeId().orElseThrow());
        assertThat(copied.version()).isGreaterThanOrEqualTo(4);

        holder.jvm().destroyForcibly();

        other.await(RunEvent.WorkPublished.class);
        run.hurryUp();
        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isZero();
        assertThat(other.log().all("state.lost")).isEmpty();
        int firstStep = run.steps().stream()
                .filter(step -> step.round() > 1)
                .mapToInt(Step::step)
                .min()
                .orElseThrow();
        assertThat(firstStep).isGreaterThan((int) copied.version());
    }

    @Test
    void nodeThatStartsAgain_whileTheOtherGoesAhead_doesNotTakeTheRunBack() {
        AgentProcess first = run.agent(options("1:2"), run.training());
        AgentProcess second = run.agent(options("1:2"), run.training());
        run.awaitTogether(2, first, second);
        run.awaitStep(5);
        second.worker(second.log().running().get(0).pid()).destroyForcibly();
        first.await(
                "a round without it",
                TestRun.LIMIT,
                log -> log.all("work.published").size() >= 2);

        int reached = run.lastStep();
        first.worker(first.log().running().get(0).pid()).destroyForcibly();

        run.awaitStep(reached + 10);
        assertEndedWell(first, second);
    }

    private List<String> options(String nodes, String... more) {
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", nodes, "--nproc-per-node", "1"));
        options.addAll(List.of("--restart-policy", "soft", "--lease-ttl", "10s", "--rejoin-back-off", "0"));
        options.addAll(List.of(more));
        return options;
    }

    private void assertEndedWell(AgentProcess... agents) {
        run.hurryUp();
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("state.lost")).isEmpty();
        }
        int reached = 0;
        for (Step step : run.steps()) {
            assertThat(step.step()).as("after step " + reached).isGreaterThanOrEqualTo(reached - 1);
            reached = Math.max(reached, step.step());
        }
    }
}
