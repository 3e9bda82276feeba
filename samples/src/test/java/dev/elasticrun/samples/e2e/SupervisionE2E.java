/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an agent makes of signals, temporary files and failures that come again, of real processes. */
@Tag("once")
@Timeout(120)
final class SupervisionE2E {
    private static final String LAST_WORDS = "what a pity";

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void scheduler_signalsWorkersAndThenTheAgent_isADrainWithoutFailure() throws Exception {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc-per-node", "2", "--drain-signal", "USR1"), List.of("sleep", "600"));
        awaitRunning(agent, 2);
        List<String> kill = new ArrayList<>(List.of("kill", "-s", "USR1"));
        agent.log().running().forEach(worker -> kill.add(Long.toString(worker.pid())));
        kill.add(Long.toString(agent.jvm().pid()));

        assertThat(new ProcessBuilder(kill).inheritIO().start().waitFor()).isZero();

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(143);
        assertThat(agent.log().all("worker.failed")).as(agent::console).isEmpty();
        assertThat(agent.log().everStarted()).hasSize(2);
        assertThat(agent.log().all(RunEvent.RunEnded.class))
                .allSatisfy(end -> assertThat(end.root()).isEmpty());
    }

    @Test
    void worker_fails_leavesNoTemporaryFilesToTheNextNorBehind() throws IOException {
        String script = "echo \"$TMPDIR\"; touch \"$TMPDIR/file\"; ls \"$TMPDIR/..\";"
                + " [ $ELASTIC_RESTART_COUNT != 0 ] || exit 7; test $(ls -d \"$TMPDIR\"/../tmp-* | wc -l) = 1";
        AgentProcess agent = run.agent(List.of("--standalone"), List.of("sh", "-c", script));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::everything).isZero();

        List<String> directories = agent.workerOutputs().stream()
                .map(output -> output.lines().findFirst().orElseThrow())
                .toList();
        assertThat(directories).hasSize(2).doesNotHaveDuplicates().allSatisfy(directory -> assertThat(
                        Path.of(directory))
                .startsWithRaw(run.temporary())
                .doesNotExist());
        try (Stream<Path> left = Files.list(run.temporary())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void worker_endsWithACodeThatIsNotToBeRetried_endsTheRunAtOnce() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--no-retry-exit-codes", "2,64"),
                List.of("sh", "-c", "echo " + LAST_WORDS + " >&2; exit 64"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
        assertThat(agent.log().everStarted()).hasSize(1);
        assertThat(agent.log().rootCause()).satisfies(root -> {
            assertThat(root.rootRank()).isZero();
            assertThat(root.rootHow()).isEqualTo(FailureKind.EXIT_CODE);
            assertThat(root.rootMessage()).contains("--no-retry-exit-codes");
        });
        assertThat(agent.output()).contains("| " + LAST_WORDS);
    }

    @Test
    void workers_failWithoutEverMakingProgress_endTheRunWithACodeOfItsOwn() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--max-restarts", "100", "--no-progress-limit", "2"),
                List.of("sh", "-c", "echo " + LAST_WORDS + " >&2; exit 7"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(6);
        assertThat(agent.log().everStarted()).hasSizeBetween(2, 3);
        assertThat(agent.log().all(RunEvent.RunStopRequested.class))
                .singleElement()
                .satisfies(asked -> assertThat(asked.worker()).isEmpty());
        assertThat(agent.log().rootCause().rootRank()).isZero();
        assertThat(agent.output()).contains("| " + LAST_WORDS);
    }

    @Test
    void p4_oneWorkerFails_theOtherIsStoppedAndIsNoFailure() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc-per-node", "2", "--max-restarts", "0"),
                List.of("sh", "-c", "if [ $RANK = 1 ]; then exit 138; fi; exec sleep 600"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
        assertThat(agent.log().rootCause().rootRank()).isOne();
        assertThat(agent.log().all(RunEvent.WorkerFailed.class))
                .extracting(RunEvent.WorkerFailed::rank, RunEvent.WorkerFailed::collateral)
                .containsExactly(tuple(1, false));
        assertThat(agent.log().all(RunEvent.WorkerExited.class))
                .extracting(
                        exited -> exited.worker().slot(),
                        exited -> exited.end().exitCode(),
                        RunEvent.WorkerExited::asked)
                .containsExactlyInAnyOrder(tuple(0, 143, true), tuple(1, 138, false));
        assertThat(agent.output()).contains("SIGTERM (15)", "SIGUSR1 (10)");
    }

    @Test
    void p5_workerIsKilledByASignal_isNamedWithItsProcess() {
        AgentProcess agent =
                run.agent(List.of("--standalone", "--max-restarts", "0"), List.of("sh", "-c", "kill -s SEGV $$"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
        long pid = agent.log().all("worker.started").get(0).number("pid");
        assertThat(agent.log().rootCause()).satisfies(root -> {
            assertThat(root.rootRank()).isZero();
            assertThat(root.rootHow()).isEqualTo(FailureKind.SIGNAL);
        });
        assertThat(agent.output()).contains("pid " + pid, "SIGSEGV (11)");
    }

    @Test
    void p6_terminalHangsUp_workersAreGoneSoon() {
        AgentProcess agent = run.agent(List.of("--standalone", "--nproc-per-node", "2"), List.of("sleep", "600"));
        awaitRunning(agent, 2);

        agent.signal("HUP");

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(143);
        assertThat(agent.log().all("workers.gone")).hasSize(1);
    }

    @Test
    void p7_workersWriteMuch_hinderNobodyAndNothingIsLost() {
        String much = "head -c 10000000 /dev/zero | tr '\\0' x | fold -w 99";
        AgentProcess agent = run.agent(List.of("--standalone", "--nproc-per-node", "4"), List.of("sh", "-c", much));

        assertThat(agent.exitCode(TestRun.LIMIT)).isZero();
        assertThat(agent.workerOutputs()).hasSize(4).allSatisfy(output -> assertThat(
                        output.chars().filter(c -> c == 'x').count())
                .isEqualTo(10_000_000));
    }

    private void awaitRunning(AgentProcess agent, int workers) {
        Patience.until(
                workers + " workers to run",
                TestRun.LIMIT,
                () -> agent.log().running().size() == workers,
                agent::console);
    }
}
