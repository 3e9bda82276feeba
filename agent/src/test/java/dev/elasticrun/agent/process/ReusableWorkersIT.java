/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** JVMs that work for one run after the other. */
@Timeout(60)
class ReusableWorkersIT {
    @TempDir
    Path directory;

    private ReusableWorkers workers;
    private ProcessLauncher launcher;
    private int runs;

    @BeforeEach
    void open() throws IOException {
        workers = ReusableWorkers.open();
        launcher = run("key");
    }

    @AfterEach
    void close() {
        launcher.close();
        workers.close();
    }

    private ProcessLauncher run(String key) throws IOException {
        return workers.over(GroupProcessLauncher.create(List.of(), pid -> {}), key);
    }

    private WorkerProcess start(int slot, String... arguments) throws Exception {
        runs++;
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put(WorkerEnv.RUN_ID, "run-" + runs);
        environment.put(WorkerEnv.ERROR_FILE, directory.resolve("error-" + runs).toString());
        ReusableProgram program = new ReusableProgram(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                List.of("-cp", System.getProperty("java.class.path")),
                ReusedTarget.class.getName(),
                List.of(arguments),
                slot,
                false);
        return Processes.start(
                launcher,
                new WorkerCommand(
                        List.of("unused"),
                        environment,
                        directory.resolve(runs + ".out"),
                        directory.resolve(runs + ".err"),
                        directory,
                        List.of(),
                        false,
                        Optional.of(program)));
    }

    private List<String> out(int run) throws IOException {
        return Files.readAllLines(directory.resolve(run + ".out"));
    }

    @Test
    void programThatReturns_runsAgainInTheSameProcess_withItsOwnArgumentsFilesAndEnvironment() throws Exception {
        WorkerProcess first = start(0, "print", "a b");
        assertThat(first.exit().get(20, SECONDS)).isZero();
        first.groupGone().get(10, SECONDS);
        launcher.close();
        launcher = run("key");

        WorkerProcess second = start(0, "print", "\"\u00e4\n\"");
        assertThat(second.exit().get(10, SECONDS)).isZero();

        assertThat(second.pid()).isEqualTo(first.pid());
        assertThat(out(1)).containsExactly("call 1 for run-1: a b");
        assertThat(out(2)).containsExactly("call 2 for run-2: \"\u00e4", "\"");
        assertThat(directory.resolve("1.err")).hasContent("and an error");
        assertThat(directory.resolve("2.err")).hasContent("and an error");
    }

    @Test
    void anotherSlot_andAnotherKey_haveProcessesOfTheirOwn_oneForEachSlot() throws Exception {
        WorkerProcess first = start(0, "print");
        WorkerProcess beside = start(1, "print");
        assertThat(first.exit().get(20, SECONDS)).isZero();
        assertThat(beside.exit().get(20, SECONDS)).isZero();
        assertThat(beside.pid()).isNotEqualTo(first.pid());
        launcher.close();
        launcher = run("another key");

        WorkerProcess other = start(0, "print");
        assertThat(other.exit().get(20, SECONDS)).isZero();

        assertThat(other.pid()).isNotEqualTo(first.pid());
        await().until(() -> !Processes.alive(first.pid()));
        assertThat(Processes.alive(beside.pid())).isTrue();
        workers.endIdle();
        await().until(() -> !Processes.alive(beside.pid()) && !Processes.alive(other.pid()));
    }

    @Test
    void programThatThrows_exits_orIsKilled_endsItsProcess() throws Exception {
        WorkerProcess thrown = start(0, "throw");
        assertThat(thrown.exit().get(20, SECONDS)).isEqualTo(1);
        thrown.groupGone().get(10, SECONDS);
        assertThat(Files.readString(directory.resolve("1.err"))).contains("IllegalStateException: as it was asked");

        WorkerProcess exited = start(0, "exit");
        assertThat(exited.exit().get(20, SECONDS)).isEqualTo(3);
        exited.groupGone().get(10, SECONDS);

        WorkerProcess killed = start(0, "stay");
        await().until(() -> Files.exists(directory.resolve("3.out")) && !out(3).isEmpty());
        killed.signalGroup(GroupSignal.KILL);
        assertThat(killed.exit().get(10, SECONDS)).isEqualTo(137);
        killed.groupGone().get(10, SECONDS);

        WorkerProcess next = start(0, "print");
        assertThat(next.exit().get(20, SECONDS)).isZero();
        assertThat(out(4)).containsExactly("call 1 for run-4: ");
    }

    @Test
    void programThatLeavesAThread_endsWithIt() throws Exception {
        WorkerProcess worker = start(0, "thread");

        assertThat(worker.exit().get(20, SECONDS)).isZero();

        assertThat(out(1)).containsExactly("call 1 for run-1: ", "the thread, too");
    }

    @Test
    void runThatEnds_killsWhatStillWorksForIt_andNothingIsLeft() throws Exception {
        WorkerProcess worker = start(0, "stay");
        await().until(() -> Files.exists(directory.resolve("1.out")) && !out(1).isEmpty());

        launcher.close();

        assertThat(worker.exit().get(10, SECONDS)).isEqualTo(137);
        workers.close();
        assertThat(Processes.alive(worker.pid())).isFalse();
    }
}
