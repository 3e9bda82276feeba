/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.proto.CommandReply;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.CommandStage;
import dev.elasticrun.proto.DrainNode;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Step;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** People steer a run by commands, also while its coordinator dies. */
@Timeout(120)
final class SteerE2E {
    private static final int DRAINED = 143;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void soft_scaledUpDrainedAndScaledDown_keepsAllWorkersAndSteps() {
        AgentProcess first = agent("soft", "1:2");
        AgentProcess second = agent("soft", "1:2");
        long round = run.awaitTogether(2, first, second);
        AgentProcess third = agent("soft", "1:2");
        AgentProcess fourth = agent("soft", "2:4", "--join-timeout", "50s");
        fourth.awaitOutput("expected: 1:2", TestRun.LIMIT);

        assertDone("scale", "2:4");
        AgentProcess late = agent("soft", "2:4");
        round = run.awaitTogether(round, 4, first, second, third, late);
        String drained = late.nodeId().orElseThrow();
        assertThat(assertDone("drain", drained, "--yes").path("world_size").asInt())
                .isEqualTo(3);
        assertThat(late.exitCode(TestRun.LIMIT)).isEqualTo(DRAINED);
        round = run.awaitTogether(round, 3, first, second, third);
        assertThat(assertDone("scale", "1:2", "--yes").path("world_size").asInt())
                .isEqualTo(2);
        run.awaitTogether(round, 2, first, second);
        assertDone("stop", "--yes");

        for (AgentProcess agent : List.of(first, second, third)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(DRAINED);
            assertThat(agent.log().everStarted()).hasSize(1);
        }
        assertThat(fourth.exitCode(TestRun.LIMIT)).isEqualTo(2);
        assertNoStepTwice();
    }

    @Test
    @Tag("slow")
    void soft_drainedWhileTheCoordinatorIsKilled_isDoneOnce() {
        AgentProcess[] agents = {agent("soft", "1:3"), agent("soft", "1:3"), agent("soft", "1:3")};
        long round = run.awaitTogether(3, agents);
        AgentProcess coordinator = Recoveries.coordinator(agents);
        List<AgentProcess> others = new ArrayList<>(List.of(agents));
        others.remove(coordinator);
        String drained = others.get(1).nodeId().orElseThrow();

        CompletableFuture<Command.Result> drain =
                CompletableFuture.supplyAsync(() -> steer("drain", drained, "--yes", "--force"));
        Recoveries.killNode(coordinator);

        assertThat(drain.join()).satisfies(result -> {
            assertThat(result.output()).contains(drained);
            assertThat(result.exitCode()).isZero();
        });
        assertThat(others.get(1).exitCode(TestRun.LIMIT)).isEqualTo(DRAINED);
        run.awaitTogether(round, 1, others.get(0));
        assertThat(others.get(0).log().everStarted()).hasSize(1);
        assertThat(others.get(1).log().all("node.draining")).hasSize(1);
        assertThat(steer("stop", "--yes").exitCode()).isZero();
        assertThat(others.get(0).exitCode(TestRun.LIMIT)).isEqualTo(DRAINED);
    }

    /** As a caller does whose first agent ended before it could report. */
    @Test
    @Tag("once")
    void soft_sameDrainRequestedOfAnotherAgentOnceItIsDone_isAnsweredAsDone() {
        AgentProcess first = agent("soft", "1:3");
        AgentProcess second = agent("soft", "1:3");
        AgentProcess third = agent("soft", "1:3");
        run.awaitTogether(3, first, second, third);
        String drained = third.nodeId().orElseThrow();
        CommandRequest request = CommandRequest.newBuilder()
                .setRequestId("once")
                .setDrain(DrainNode.newBuilder().setNode(drained))
                .build();

        CommandReply reply = request(first, request);
        assertThat(reply.getStage()).as(reply.getText()).isEqualTo(CommandStage.COMMAND_STAGE_DONE);
        assertThat(third.exitCode(TestRun.LIMIT)).isEqualTo(DRAINED);
        CommandReply again = request(second, request);

        assertThat(again.getStage()).as(again.getText()).isEqualTo(CommandStage.COMMAND_STAGE_DONE);
        assertThat(again.getWorldSize()).isEqualTo(2);
        assertThat(again.getNumber()).isEqualTo(reply.getNumber());
        assertThat(steer("stop", "--yes").exitCode()).isZero();
    }

    @Test
    @Tag("slow")
    void hard_dumpedAndRestarted_startsAllWorkersOnceMore() {
        AgentProcess first = agent("hard", "2:2", "--max-restarts", "0");
        AgentProcess second = agent("hard", "2:2", "--max-restarts", "0");
        long round = run.awaitTogether(2, first, second);

        for (int rank = 0; rank < 2; rank++) {
            assertThat(steer("dump", Integer.toString(rank)).output())
                    .startsWith("rank " + rank + " of round " + round)
                    .contains("Full thread dump", "\"main\"");
        }
        SchemaFile.of("dump.json").assertDescribes(steer("dump", "0", "--json").json());
        assertProfiled(round);
        assertThat(steer("restart")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.output()).contains("--yes: not given", run.id());
        });
        assertDone("restart", "--yes");
        run.awaitTogether(round, 2, first, second);

        assertThat(steer("stop", "--yes").exitCode()).isZero();
        for (AgentProcess agent : List.of(first, second)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(DRAINED);
            assertThat(agent.log().everStarted()).hasSize(2);
        }
    }

    /** One of the two is a worker of the other node than the agent that answers. */
    private void assertProfiled(long round) {
        for (int rank = 0; rank < 2; rank++) {
            assertThat(steer("profile", Integer.toString(rank), "--seconds", "2"))
                    .satisfies(result -> {
                        assertThat(result.exitCode()).as(result.output()).isZero();
                        assertThat(result.output())
                                .contains(" of round " + round + ": worker 0.", "profile.jfr", "native;");
                    });
        }
        SchemaFile.of("profile.json")
                .assertDescribes(
                        steer("profile", "1", "--seconds", "1", "--json").json());
        assertThat(steer("profile", "0", "--seconds", "61")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.output()).contains("--seconds: 61 (expected: a number from 1 to 60)");
        });
        assertThat(steer("profile", "7")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.output()).contains("no profile: rank: 7 (expected: below 2, in round ");
        });
        // The JVM prints its threads as before.
        assertThat(steer("dump", "1").output()).contains("Full thread dump");
    }

    private AgentProcess agent(String policy, String nnodes, String... more) {
        List<String> options = run.onEtcd(
                "--nnodes", nnodes, "--restart-policy", policy, "--lease-ttl", "10s", "--last-call-timeout", "60s");
        options.addAll(List.of(more));
        return run.agent(options, Project.training(Integer.MAX_VALUE, 20, "--report-every", "1"));
    }

    /** The last reply of that agent. */
    private CommandReply request(AgentProcess agent, CommandRequest request) {
        String nodeId = agent.nodeId().orElseThrow();
        LocalRuns.LocalRun local = LocalRuns.find(run.id()).stream()
                .filter(found -> found.file().node().equals(nodeId))
                .findFirst()
                .orElseThrow();
        try (ControlClient client = new ControlClient(
                local.file().control(), local.key(), local.file().encryption())) {
            CommandReply last = CommandReply.getDefaultInstance();
            Iterator<CommandReply> replies = client.blocking(TestRun.LIMIT).command(request);
            while (replies.hasNext()) {
                last = replies.next();
            }
            return last;
        }
    }

    private JsonNode assertDone(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        Command.Result result = steer(all.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.output()).isZero();
        JsonNode reply = result.json();
        SchemaFile.of("command.json").assertDescribes(reply);
        assertThat(reply.path("command").asText()).isEqualTo(arguments[0]);
        assertThat(reply.path("stage").asText()).as(result.output()).isEqualTo("done");
        return reply;
    }

    private Command.Result steer(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--run-id", run.id()));
        return Command.run(Map.of("TMPDIR", run.temporary().toString()), TestRun.LIMIT, command);
    }

    /** What was committed is not done again: a new round goes on with the next step, or the one that was under way. */
    private void assertNoStepTwice() {
        int reached = 0;
        long round = 0;
        for (Step step : run.steps()) {
            if (step.round() != round && round != 0) {
                assertThat(step.step())
                        .as("first step of round " + step.round() + " after step " + reached)
                        .isBetween(reached + 1, reached + 2);
            }
            round = step.round();
            reached = Math.max(reached, step.step());
        }
    }
}
