/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All the ways in which a run or an agent ends, and what the command exits with. */
@Timeout(120)
final class EndsE2E {
    private static final String LAST_WORDS = "what a pity";
    private static final List<String> WAIT = List.of("sleep", "600");
    private static final List<String> SUCCEED = List.of("sh", "-c", "echo well done");
    private static final List<String> FAIL = List.of("sh", "-c", "echo " + LAST_WORDS + " >&2; exit 7");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Tag("once")
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 4"})
    void worker_failsAgainAndAgain_endsWhenTheBudgetIsUsed(int maxRestarts, int exitCode) {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc-per-node", "2", "--max-restarts", Integer.toString(maxRestarts)),
                List.of("sh", "-c", "if [ $RANK = 1 ]; then echo " + LAST_WORDS + " >&2; exit 7; fi; sleep 600"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(exitCode);
        assertThat(agent.log().everStarted()).hasSize(2 * (maxRestarts + 1));
        assertThat(agent.log().rootCause()).satisfies(root -> {
            assertThat(root.rootRank()).isOne();
            assertThat(root.rootNode()).isEqualTo(agent.nodeId().orElseThrow());
            assertThat(root.rootHow()).isEqualTo(FailureKind.EXIT_CODE);
        });
        assertThat(agent.output()).containsSubsequence("root cause", "exit code 7", LAST_WORDS);
    }

    @Tag("once")
    @Test
    void run_belowMinimumForTooLong_endsNamingWhoIsThere() {
        AgentProcess agent = run.agent(run.onEtcd("--nnodes", "2", "--join-timeout", "2s"), WAIT);

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(3);
        assertThat(agent.log().all(RunEvent.RunEnded.class)).singleElement().satisfies(end -> assertThat(end.reason())
                .contains(agent.nodeId().orElseThrow()));
    }

    @Tag("once")
    @Test
    void runId_usedAgainAfterASuccess_runsEachTime() {
        List<String> options = run.onEtcd("--nnodes", "1");
        Set<String> incarnations = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            AgentProcess agent = run.agent(options, SUCCEED);

            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.workerOutputs()).singleElement().satisfies(output -> assertThat(output)
                    .contains("well done"));
            incarnations.add(incarnation(agent));
        }
        assertThat(incarnations).hasSize(3);
    }

    @Tag("once")
    @Test
    void runId_usedAgainAfterAFailure_startsAfresh() {
        List<String> options = run.onEtcd("--nnodes", "1", "--max-restarts", "0");
        AgentProcess failed = run.agent(options, FAIL);
        assertThat(failed.exitCode(TestRun.LIMIT)).as(failed::console).isEqualTo(1);

        AgentProcess again = run.agent(options, SUCCEED);

        assertThat(again.exitCode(TestRun.LIMIT)).as(again::console).isZero();
        assertThat(again.workerOutputs()).singleElement().satisfies(output -> assertThat(output)
                .contains("well done"));
        assertThat(incarnation(again)).isNotEqualTo(incarnation(failed));
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130"})
    @Tag("once")
    void agent_askedToStop_leavesFirstAndOthersGoOnAtOnce(String signal, int exitCode) {
        List<String> options = run.onEtcd(
                "--nnodes", "1:2", "--nproc-per-node", "2", "--restart-policy", "soft", "--last-call-timeout", "60s");
        AgentProcess leaving = run.agent(options, run.training());
        AgentProcess staying = run.agent(options, run.training());
        long round = run.awaitTogether(4, leaving, staying);

        leaving.signal(signal);

        run.awaitTogether(round, 2, staying);
        run.hurryUp();
        assertThat(leaving.exitCode(TestRun.LIMIT)).as(leaving::console).isEqualTo(exitCode);
        assertThat(staying.exitCode(TestRun.LIMIT)).as(staying::console).isZero();
        long reported = leaving.log().all("node.draining").get(0).nanos();
        List<LoggedEvent> published = staying.log().after(reported, "work.published");
        assertThat(published).hasSize(1);
        assertThat(Duration.ofNanos(published.get(0).nanos() - reported)).isLessThan(Duration.ofSeconds(1));
        assertThat(staying.log().everStarted()).hasSize(2);
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.accuracy())
                .isGreaterThanOrEqualTo(0.95));
    }

    @Test
    void agent_askedTwiceToStop_doesNotWaitForWorkers() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--shutdown-timeout", "300s"),
                List.of("sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 0.1; done"));
        awaitWorkerOutput(agent, "deaf");

        agent.signal("TERM");
        agent.await("drain", TestRun.LIMIT, log -> !log.all("node.draining").isEmpty());
        assertThat(agent.isAlive()).isTrue();
        agent.signal("TERM");

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(143);
    }

    @Tag("once")
    @Test
    void agent_surplus_standsByAndEndsWithTheRun() throws IOException {
        List<String> options = run.onEtcd("--nnodes", "1");
        List<String> program =
                List.of("sh", "-c", "echo at work; while ! [ -e \"$0\" ]; do sleep 0.05; done", stop().toString());
        AgentProcess working = run.agent(options, program);
        awaitWorkerOutput(working, "at work");

        AgentProcess surplus = run.agent(options, program);
        surplus.await(RunEvent.RunJoined.class);
        Patience.pause(Duration.ofSeconds(1));
        assertThat(surplus.isAlive()).as(surplus::console).isTrue();
        assertThat(surplus.log().everStarted()).isEmpty();
        Files.createFile(stop());

        assertThat(working.exitCode(TestRun.LIMIT)).as(working::console).isZero();
        assertThat(surplus.exitCode(TestRun.LIMIT)).as(surplus::console).isZero();
        assertThat(surplus.log().everStarted()).isEmpty();
    }

    private Path stop() {
        return run.directory().resolve("stop");
    }

    private static void awaitWorkerOutput(AgentProcess agent, String text) {
        Patience.until(
                "'" + text + "' of a worker",
                TestRun.LIMIT,
                () -> agent.workerOutputs().stream().anyMatch(output -> output.contains(text)),
                agent::console);
    }

    private static String incarnation(AgentProcess agent) {
        return agent.log().all("run.ended").get(0).text("incarnation");
    }
}
