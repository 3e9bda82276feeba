/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of docs/torchelastic-cases.md that need processes and that no other end-to-end test shows. */
@Tag("slow")
@Timeout(180)
final class TorchelasticCasesE2E {
    private static final String LAST_WORDS = "what a pity";
    private static final Duration LEASE = Duration.ofSeconds(4);
    /** A proof of death takes milliseconds: half a lease is for a machine with other work. */
    private static final Duration REACTION = LEASE.dividedBy(2);

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void a7_nodesFinishSecondsApart_bothSucceed() {
        for (AgentProcess agent : pair("if [ $RANK = 1 ]; then sleep 3; fi", "--max-restarts", "0")) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("work.published")).hasSize(1);
        }
    }

    @Test
    void a7_peerFailsAfterThisNodeIsDone_isRestartedAlone() {
        String failsOnce = "if [ $ELASTIC_RESTART_COUNT = 0 ] && [ $RANK = 1 ]; then sleep 3; exit 7; fi";
        List<AgentProcess> agents = pair(failsOnce);

        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }
        assertThat(agents).extracting(agent -> agent.log().everStarted().size()).containsExactlyInAnyOrder(1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft", "soft-replace"})
    void a9_agentKilledAndStartedAgain_bothFinish(String policy) {
        AgentProcess steady = training("2", policy);
        AgentProcess dying = training("2", policy);
        long round = run.awaitTogether(2, steady, dying);
        run.awaitStep(20);

        Recoveries.killNode(dying);
        AgentProcess again = training("2", policy);
        run.awaitTogether(round, 2, steady, again);
        run.hurryUp();

        for (AgentProcess agent : List.of(steady, again)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("round.sealed"))
                    .allSatisfy(event -> assertThat(event.number("budget_used")).isZero());
        }
    }

    @ParameterizedTest
    @CsvSource({"hard, workers.stopping", "soft, incident.paused", "soft-replace, incident.paused"})
    void g1_nodeKilled_survivorActsWithinTheLeaseAndFinishes(String policy, String reaction) {
        AgentProcess survivor = training("1:2", policy);
        AgentProcess dying = training("1:2", policy);
        long round = run.awaitTogether(2, survivor, dying);
        run.awaitStep(20);

        long killed = System.nanoTime();
        Recoveries.killNode(dying);
        run.awaitTogether(round, 1, survivor);
        run.hurryUp();

        long reacted = survivor.awaitEvent(killed, reaction, TestRun.LIMIT).nanos();
        assertThat(Duration.ofNanos(reacted - killed)).isLessThan(REACTION);
        assertThat(survivor.exitCode(TestRun.LIMIT)).as(survivor::console).isZero();
        assertThat(survivor.log().after(killed, "node.proved_dead")).isNotEmpty();
    }

    /** The peer is at work, or has finished and waits. */
    @ParameterizedTest
    @ValueSource(strings = {"sleep 600", "exit 0"})
    void g7_workerFailsForTheLastTime_allAgentsEndWithinASecondWithTheSameRootCause(String peer) {
        String program = "if [ $RANK = 0 ]; then " + peer + "; fi; sleep 1; echo " + LAST_WORDS + " >&2; exit 7";
        List<AgentProcess> agents = pair(program, "--max-restarts", "0");

        List<LoggedEvent> ends = new ArrayList<>();
        List<RunEvent.Root> causes = new ArrayList<>();
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
            assertThat(agent.output()).containsSubsequence("root cause", "exit code 7", LAST_WORDS);
            ends.add(agent.log().all("run.ended").get(0));
            causes.add(agent.log().rootCause());
        }
        assertThat(Duration.ofNanos(ends.get(0).nanos() - ends.get(1).nanos()).abs())
                .isLessThan(Duration.ofSeconds(1));
        assertThat(causes.get(0).rootRank()).isOne();
        assertThat(causes.get(0).rootHow()).isEqualTo(FailureKind.EXIT_CODE);
        assertThat(causes.get(0)).isEqualTo(causes.get(1));
    }

    @ParameterizedTest
    @CsvSource({"60s, true", "0s, false"})
    void g14_workersAreStoppedForARestart_haveTheGraceOfTheFlag(String grace, boolean saves) {
        String program = """
                if [ $ELASTIC_RESTART_COUNT != 0 ]; then exit 0; fi
                if [ $RANK = 1 ]; then
                    while ! [ -e "$0" ]; do sleep 0.05; done
                    exit 7
                fi
                trap 'sleep 1; echo saved; exit 0' TERM
                : > "$0"
                while :; do sleep 0.05; done
                """;
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc-per-node", "2", "--shutdown-timeout", grace),
                List.of("sh", "-c", program, run.directory().resolve("armed").toString()));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.workerOutputs().stream().anyMatch(output -> output.contains("saved")))
                .as("worker saved its work on TERM")
                .isEqualTo(saves);
    }

    private AgentProcess training(String nodes, String policy) {
        return run.agent(
                run.onEtcd(
                        "--nnodes",
                        nodes,
                        "--restart-policy",
                        policy,
                        "--max-restarts",
                        "2",
                        "--lease-ttl",
                        LEASE.toSeconds() + "s",
                        "--last-call-timeout",
                        "60s"),
                run.training());
    }

    /** Two nodes with one worker each, under {@code hard}. */
    private List<AgentProcess> pair(String script, String... options) {
        List<String> all = run.onEtcd("--nnodes", "2");
        all.addAll(List.of(options));
        List<String> program = List.of("sh", "-c", script);
        return List.of(run.agent(all, program), run.agent(all, program));
    }
}
