/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The only node that holds the state dies; the one that stood by has nothing of it. */
@Timeout(120)
final class StateLossE2E {
    private static final int STEPS = 60;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void restart_isReportedWithVersionAndNode_andTheRunBeginsAgain() {
        AgentProcess left = loseAll();

        assertThat(left.exitCode(TestRun.LIMIT)).as(left::console).isZero();
        assertReported(left, "restart");
        assertThat(left.output()).containsSubsequence("elastic-run: succeeded", "STATE_LOST: ");
        assertThat(run.trained()).singleElement().satisfies(trained -> {
            assertThat(trained.steps()).isEqualTo(STEPS);
            assertThat(trained.roundsSeen())
                    .as("rounds that the model is made of")
                    .isOne();
        });
    }

    @Test
    @Tag("slow")
    void fail_endsTheRunWithThatReason() {
        AgentProcess left = loseAll("--on-state-loss", "fail");

        assertThat(left.exitCode(TestRun.LIMIT)).as(left::console).isEqualTo(1);
        LoggedEvent printed = assertReported(left, "fail");
        assertThat(left.log().rootCause().rootHow()).isEqualTo(FailureKind.STATE_LOST);
        assertThat(left.output())
                .containsSubsequence("elastic-run: exit 1: ", "STATE_LOST: version " + printed.number("version"));
        assertThat(run.trained()).isEmpty();
        assertThat(left.log().everStarted()).as("no restart is tried").hasSize(1);
    }

    /** Returns the agent that is left. */
    private AgentProcess loseAll(String... more) {
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", "1", "--nproc-per-node", "1"));
        options.addAll(List.of("--restart-policy", "soft", "--lease-ttl", "10s"));
        options.addAll(List.of(more));
        List<String> program = Project.training(STEPS, 20, "--report-every", "1");
        AgentProcess holder = run.agent(options, Project.training(100_000, 20, "--report-every", "1"));
        run.awaitTogether(1, holder);
        run.awaitStep(5);
        // A node that is about to join would have a copy of the state soon: this agent serves none any more.
        holder.signal("STOP");
        AgentProcess left = run.agent(options, program);
        left.await(
                "workers that stand by",
                TestRun.LIMIT,
                log -> log.all("worker.ready").size() == 1);
        Recoveries.killNode(holder);
        left.await("STATE_LOST", TestRun.LIMIT, log -> !log.all("state.lost").isEmpty());
        assertThat(left.log().all("state.lost").get(0).fields().path("gone").toString())
                .contains(holder.nodeId().orElseThrow());
        return left;
    }

    private static LoggedEvent assertReported(AgentProcess left, String reaction) {
        List<LoggedEvent> printed = left.log().all("state.lost");
        assertThat(printed).hasSize(1);
        LoggedEvent lost = printed.get(0);
        assertThat(lost.number("version")).isPositive();
        assertThat(lost.number("lost_round")).isEqualTo(lost.round());
        assertThat(lost.text("on_state_loss")).isEqualTo(reaction);
        assertThat(left.log().all("work.published").get(0).text("cause"))
                .endsWith(": " + lost.fields().path("gone").get(0).asText());
        return lost;
    }
}
