/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.HandedOver;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.LaunchResult.Answer;
import dev.elasticrun.agent.LaunchResult.WorkerResult;
import dev.elasticrun.agent.RunSummary;
import dev.elasticrun.agent.incident.RunTotals;
import dev.elasticrun.agent.rules.LostState;
import dev.elasticrun.cli.GoldenFile;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailureReportTest {

    @Test
    void success_isOneLine() {
        LaunchResult result = new LaunchResult(
                0,
                "all workers ended with exit code 0",
                "a-1",
                List.of(new WorkerResult(0, 0, 0, 0)),
                List.of(),
                List.of());
        assertThat(render(result).lines())
                .containsExactly("elastic-run: succeeded: all workers ended with exit code 0");
    }

    @Test
    void e3_failure_namesRootCauseFirst_thenWhatFollowedAndWhatWasDone() throws IOException {
        Failure root = new Failure(
                new Failure.Worker("a-1", "host-a", 1, 2, 1, 4711),
                3,
                1,
                new Failure.Evidence(
                        FailureKind.EXCEPTION,
                        "row 17: \"x\" (expected: a number)\nin file data.csv",
                        "java.lang.IllegalStateException: row 17\n\tat app.Data.row(Data.java:17)",
                        List.of(
                                "loading",
                                "row 17 is bad",
                                "Exception in thread \"main\" java.lang.IllegalStateException: row 17",
                                "\tat app.Data.row(Data.java:17)"),
                        "/logs/demo/a-1/worker-1.2/stderr.log",
                        ""),
                false,
                0);
        Failure follower = failure("b-2", 2, 143, "killed by SIGTERM (15)", true);
        Failure another = failure("b-2", 3, 1, "lost peer 1", false);
        LaunchResult result = new LaunchResult(
                4,
                "worker failed on a-1, and no restart is left",
                "a-1",
                List.of(new WorkerResult(0, 0, 2, 143), new WorkerResult(1, 1, 2, 1)),
                List.of(),
                List.of(root, follower, another),
                List.of(
                        new Answer(2, "lost c-3", false, 4, 0),
                        new Answer(3, "worker failed on b-2", false, 4, 1),
                        new Answer(4, "lost c-3", true, 2, 1)),
                Optional.of(summary(
                        new RunTotals(
                                40,
                                1200,
                                2000,
                                3,
                                TimeUnit.MILLISECONDS.toNanos(447),
                                List.of(failedAt(1, 1200, 1150, 1))),
                        0.935)),
                HandedOver.NOTHING);
        GoldenFile.assertSame("failure-report.txt", render(result));
    }

    @Test
    void programWithoutTheWorkerApi_receivesTheReason_andFailsAlikeBeforeItsFirstStep() {
        Failure failure = new Failure(
                new Failure.Worker("a-1", "host-a", 0, 2, -1, 4711),
                0,
                1,
                new Failure.Evidence(
                        FailureKind.EXIT_CODE,
                        "exit code 1",
                        "",
                        List.of("Exception in thread \"main\" java.lang.NoClassDefFoundError:"
                                + " dev/elasticrun/worker/Snapshotable"),
                        "",
                        ""),
                false,
                0);
        LaunchResult result = new LaunchResult(
                4,
                "no restart is left",
                "a-1",
                List.of(),
                List.of(),
                List.of(failure),
                List.of(),
                Optional.of(summary(new RunTotals(0, 0, 0, 0, 0, List.of(failedAt(0, 0, 0, 2))), -1)),
                HandedOver.NOTHING);

        assertThat(render(result).lines())
                .containsSubsequence(
                        "    ended:   exit code 1",
                        "    hint:    the program has no worker API in its class path (expected:"
                                + " elastic-run-worker-api in its jar, or in --class-path)",
                        "    hint:    the same failure before any step was reported 3 times: a deterministic error of"
                                + " the program is likely",
                        "  summary: took 14.4 s, no incident, restarts 1/3")
                .noneMatch(line -> line.contains("message:"));
    }

    @Test
    void success_endsWithASummary() {
        LaunchResult result = new LaunchResult(
                0,
                "done",
                "a-1",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.of(summary(new RunTotals(0, 7, 0, 0, 0, List.of()), 1)),
                HandedOver.NOTHING);

        assertThat(render(result).lines())
                .containsExactly(
                        "elastic-run: succeeded: done",
                        "  summary: took 14.4 s, step 7, no incident, goodput 100.0 %, restarts 1/3",
                        "  logs:    /logs/demo");
    }

    private static RunSummary summary(RunTotals totals, double goodput) {
        return new RunSummary(
                "demo", Duration.ofMillis(14_400), totals, goodput, 1, RestartBudget.of(3), "/logs", false);
    }

    private static RunTotals.FailedAt failedAt(int slot, long step, long version, int alike) {
        return new RunTotals.FailedAt(slot, 2, Instant.parse("2026-01-02T03:04:05Z"), step, version, alike);
    }

    @Test
    void longStack_andManyFailures_areBounded() {
        String stack = String.join(
                "\n", IntStream.range(0, 500).mapToObj(i -> "at line " + i).toList());
        List<Failure> failures = new ArrayList<>();
        failures.add(new Failure(
                new Failure.Worker("a-1", "a", 0, 0, 0, 1),
                1,
                1,
                new Failure.Evidence(FailureKind.EXCEPTION, "first", stack, List.of(), "", ""),
                false,
                0));
        IntStream.range(0, 500).forEach(i -> failures.add(failure("b-2", i + 1, 137, "", true)));
        String report = render(new LaunchResult(1, "failed", "a-1", List.of(), List.of(), failures));
        assertThat(report.lines().count()).isLessThan(70);
        assertThat(report).contains("... 470 more lines").contains("and 484 more");
    }

    @Test
    void usage_isOneLinePerViolation() {
        String reason = "--nnodes: 1:2 (expected: 1:3, as the run has)" + System.lineSeparator() + "second";
        LaunchResult result =
                new LaunchResult(2, reason, "a-1", List.of(new WorkerResult(0, -1, 0, -1)), List.of(), List.of());
        assertThat(render(result).lines())
                .containsExactly("elastic-run: --nnodes: 1:2 (expected: 1:3, as the run has)", "elastic-run: second");
    }

    @Test
    void workerThatEndedTheRun_wasStillRunning() {
        LaunchResult result = new LaunchResult(
                1,
                "stopped",
                "a-1",
                List.of(),
                List.of(),
                List.of(failure("b-2", 2, -1, "no such file: x.csv", false)));
        assertThat(render(result)).contains("it was still running").contains("no such file: x.csv");
    }

    @Test
    void workersThatNeverStarted_areNotListed() {
        LaunchResult result = new LaunchResult(
                3, "the minimum was not reached", "a-1", List.of(new WorkerResult(0, -1, 0, -1)), List.of(), List.of());
        assertThat(render(result).lines()).containsExactly("elastic-run: exit 3: the minimum was not reached");
    }

    @Test
    void stateLost_isReportedAlsoWhenTheRunSucceeded() {
        List<LostState> lost = List.of(new LostState(7, 4, List.of("b-2", "c-3")));
        String line = "  STATE_LOST: version 7 had been completed, and no worker of round 4 has any checkpoint;"
                + " nodes that are gone: b-2, c-3";
        assertThat(render(new LaunchResult(0, "done", "a-1", List.of(), lost, List.of()))
                        .lines())
                .containsExactly("elastic-run: succeeded: done", line);
        assertThat(render(new LaunchResult(1, "failed", "a-1", List.of(), lost, List.of()))
                        .lines())
                .containsExactly("elastic-run: exit 1: failed", line);
    }

    @Test
    void e3_onlyConsequences_haveARootCauseThatIsNoWorker() {
        String report = render(new LaunchResult(
                3,
                "lost b-2: 1 of at least 2 nodes",
                "a-1",
                List.of(),
                List.of(),
                List.of(failure("a-1", 0, 1, "lost peer 1", true))));
        assertThat(report.lines())
                .containsExactly(
                        "elastic-run: exit 3: lost b-2: 1 of at least 2 nodes",
                        "  root cause: no worker; too few nodes were left",
                        "  collateral: rank 0 on a-1 (host host-b, pid 100, round 3, attempt 0): exit code 1: lost"
                                + " peer 1");
    }

    @Test
    void drained_afterAFailure_hasNoRootCause() {
        String report = render(new LaunchResult(
                143, "drained", "a-1", List.of(), List.of(), List.of(failure("b-2", 2, 137, "", false))));
        assertThat(report.lines())
                .containsExactly(
                        "elastic-run: exit 143: drained",
                        "  failed before: rank 2 on b-2 (host host-b, pid 102, round 3, attempt 0): killed by SIGKILL"
                                + " (9)");
    }

    @Test
    void success_afterIncidents_reportsWhatWasDone() {
        LaunchResult result = new LaunchResult(
                0,
                "all workers ended with exit code 0",
                "a-1",
                List.of(),
                List.of(),
                List.of(),
                List.of(new Answer(2, "worker failed on b-2", false, 4, 1)),
                Optional.empty(),
                HandedOver.NOTHING);
        assertThat(render(result).lines())
                .containsExactly(
                        "elastic-run: succeeded: all workers ended with exit code 0",
                        "  what was done:",
                        "    round 2: worker failed on b-2; went on with world size 4, restarts used: 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0   | exit code 0",
                "1   | exit code 1",
                "128 | exit code 128",
                "137 | killed by SIGKILL (9)",
                "139 | killed by SIGSEGV (11)",
                "152 | killed by SIGXCPU (24)",
                "159 | killed by SIGSYS (31)",
                "145 | exit code 145",
                "143 | killed by SIGTERM (15)",
                "255 | exit code 255",
                "-1  | not started, or its end is not known"
            })
    void e3_end_namesSignals(int exitCode, String expected) {
        assertThat(FailureReport.end(exitCode)).isEqualTo(expected);
    }

    private static String render(LaunchResult result) {
        return FailureReport.render(result, ZoneOffset.UTC);
    }

    private static Failure failure(String node, int rank, int exitCode, String message, boolean collateral) {
        return new Failure(
                new Failure.Worker(node, "host-b", rank, 0, rank, 100 + rank),
                3,
                exitCode,
                new Failure.Evidence(FailureKind.ofExit(exitCode), message, "", List.of(), "", ""),
                collateral,
                0);
    }
}
