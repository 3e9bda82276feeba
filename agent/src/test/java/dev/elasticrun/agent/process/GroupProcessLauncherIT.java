/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class GroupProcessLauncherIT {
    private final List<Long> replacedGuards = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    private GroupProcessLauncher launcher;

    @BeforeEach
    void open() throws IOException {
        launcher = GroupProcessLauncher.create(List.of(directory.resolve("not-a-run-directory")), replacedGuards::add);
    }

    @AfterEach
    void close() {
        launcher.close();
    }

    @Test
    void start_anyProgram_leadsItsOwnGroupWithItsOwnEnvironmentAndFiles() throws Exception {
        WorkerProcess worker = Processes.start(
                launcher,
                Processes.shell(
                        directory,
                        "w",
                        "ps -o pgid=,sid= -p $$; env | cut -d= -f1 | sort | xargs; pwd; echo oops >&2; cat"));

        assertThat(worker.exit().get(10, SECONDS)).isZero();
        List<String> out = Files.readAllLines(directory.resolve("w.out"));
        assertThat(out.get(0).trim().split("\\s+"))
                .containsExactly(Long.toString(worker.pid()), Long.toString(worker.pid()));
        assertThat(out.get(1).split(" ")).contains("WORKER", "PATH").doesNotContain("HOME", "JAVA_HOME");
        assertThat(out.get(2)).isEqualTo(directory.toRealPath().toString());
        assertThat(directory.resolve("w.err")).hasContent("oops");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("w.out"))))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest
    @CsvSource({"exit 0,0", "exit 3,3", "kill -s TERM $$,143", "kill -s KILL $$,137", "kill -s SEGV $$,139"})
    void exit_codeOrSignal_isReportedAsJavaGivesIt(String script, int expected) throws Exception {
        WorkerProcess worker = Processes.start(launcher, Processes.shell(directory, "w", script));

        assertThat(worker.exit().get(10, SECONDS)).isEqualTo(expected);
        worker.groupGone().get(10, SECONDS);
    }

    /** Needs the right to raise a priority, as root has it. */
    @Test
    void start_yielding_hasALowPriorityUntilItIsRaised() throws Exception {
        WorkerCommand plain = Processes.shell(directory, "w", "sleep 1000 & sleep 1000");
        WorkerProcess worker = Processes.start(
                launcher,
                new WorkerCommand(
                        plain.argv(),
                        plain.environment(),
                        plain.stdout(),
                        plain.stderr(),
                        plain.workingDirectory(),
                        List.of(),
                        true,
                        Optional.empty()));
        int own = ProcessTable.niceness();
        await().until(() -> niceness(worker.pid()).size() == 3);
        assertThat(niceness(worker.pid())).containsOnly(own + 10);
        Path session = Path.of("/proc/" + worker.pid() + "/autogroup");
        boolean sessions = Files.exists(session);
        if (sessions) {
            assertThat(Files.readString(session)).endsWith(" nice 10\n");
        }

        worker.raise();

        await().untilAsserted(
                        () -> assertThat(niceness(worker.pid())).hasSize(3).containsOnly(own));
        if (sessions) {
            String ownSession = Files.readString(Path.of("/proc/self/autogroup"));
            String expected = ownSession.isEmpty() ? " nice 0\n" : ownSession.replaceFirst(".* nice ", " nice ");
            await().until(() -> Files.readString(session).endsWith(expected));
        }
    }

    private static List<Integer> niceness(long group) throws Exception {
        Process ps = new ProcessBuilder("ps", "-o", "nice=", "--sid", Long.toString(group)).start();
        return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                .lines()
                .map(line -> Integer.parseInt(line.trim()))
                .toList();
    }

    @Test
    void start_sameLogFilesAgain_appends() throws Exception {
        for (int i = 0; i < 2; i++) {
            Processes.start(launcher, Processes.shell(directory, "w", "echo line"))
                    .exit()
                    .get(10, SECONDS);
        }

        assertThat(directory.resolve("w.out")).hasContent("line\nline");
    }

    @Test
    void start_missingProgram_failsWithItsName() {
        CompletableFuture<WorkerProcess> started =
                launcher.start(Processes.command(directory, "w", "no-such-program-here"));

        assertThatThrownBy(() -> started.get(10, SECONDS))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("no-such-program-here: ", "PATH=/usr/bin:/bin");
    }

    @Test
    void start_missingWorkingDirectory_failsWithItsName() {
        WorkerCommand command = new WorkerCommand(
                List.of("true"),
                Map.of(),
                directory.resolve("o"),
                directory.resolve("e"),
                directory.resolve("nowhere"));

        assertThatThrownBy(() -> launcher.start(command).get(10, SECONDS))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere: no such directory");
    }

    @Test
    void signalGroup_rightAfterStart_reachesTheWorker() throws Exception {
        for (int i = 0; i < 20; i++) {
            WorkerProcess worker = Processes.start(launcher, Processes.command(directory, "w", "sleep", "1000"));
            worker.signalGroup(GroupSignal.TERM);

            assertThat(worker.exit().get(10, SECONDS)).isEqualTo(143);
        }
    }

    @Test
    void signalGroup_doubleForkedGrandchildren_killsThemAll() throws Exception {
        Path pids = directory.resolve("pids");
        WorkerProcess worker = startFamilyOfFour(
                "for i in 1 2 3; do (sleep 1000 & echo $! >> pids); done; sh -c 'sleep 999 & echo $! >> pids';"
                        + " wait; sleep 1000");

        long before = System.nanoTime();
        worker.signalGroup(GroupSignal.KILL);
        worker.groupGone().get(10, SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
        assertThat(worker.exit().get(0, SECONDS)).isEqualTo(137);
        assertThat(Processes.pids(pids)).noneMatch(Processes::alive);
    }

    @Test
    void groupGone_leaderExitsAlone_killsWhomItLeft() throws Exception {
        WorkerProcess worker = Processes.start(
                launcher,
                Processes.shell(directory, "w", "trap '' TERM HUP; sleep 1000 & echo $! > pids; echo $$ >> pids"));

        assertThat(worker.exit().get(10, SECONDS)).isZero();
        worker.groupGone().get(10, SECONDS);

        assertThat(Processes.pids(directory.resolve("pids"))).hasSize(2).noneMatch(Processes::alive);
    }

    @Test
    void groupGone_zombieThatNobodyReaps_completes() throws Exception {
        // Without its mark the subshell is out of sight once it leaves the group, and it never waits for its child.
        WorkerProcess worker = Processes.start(
                launcher,
                Processes.shell(
                        directory,
                        "w",
                        "(sleep 1000 & echo $! > pids; exec env -i setsid sleep 30) & echo $! > parent; sleep 0.2"));
        assertThat(worker.exit().get(10, SECONDS)).isZero();

        worker.groupGone().get(10, SECONDS);

        long escaped = Processes.pids(directory.resolve("parent")).get(0);
        assertThat(Processes.alive(escaped)).isTrue();
        ProcessHandle.of(escaped).ifPresent(ProcessHandle::destroyForcibly);
        await().until(() -> !Processes.alive(escaped));
    }

    @Test
    void groupGone_childrenThatLeftTheGroup_areKilledToo() throws Exception {
        Path pids = directory.resolve("pids");
        WorkerProcess neighbour =
                Processes.start(launcher, Processes.shell(directory, "n", "setsid -f sleep 1000; sleep 1000"));
        WorkerProcess worker = startFamilyOfFour(
                "for i in 1 2; do setsid -f sh -c 'sleep 1000 & echo $! >> pids; echo $$ >> pids; wait'; done;"
                        + " sleep 1000");

        worker.signalGroup(GroupSignal.KILL);
        worker.groupGone().get(10, SECONDS);

        assertThat(Processes.pids(pids)).noneMatch(Processes::alive);
        assertThat(neighbour.exit()).isNotDone();
    }

    /** @param script writes the ids of four processes to the file {@code pids} */
    private WorkerProcess startFamilyOfFour(String script) throws Exception {
        WorkerProcess worker = Processes.start(launcher, Processes.shell(directory, "w", script));
        await().until(() -> Processes.pids(directory.resolve("pids")).size() == 4);
        return worker;
    }

    @Test
    void stopAll_leaderEndsBeforeItsChild_childHasTheRestOfTheGrace() throws Exception {
        WorkerProcess worker = Processes.start(
                launcher,
                Processes.shell(
                        directory,
                        "w",
                        "sh -c 'trap \"sleep 0.5; echo saved; exit\" TERM; echo up; while :; do sleep 0.02; done' & wait"));
        await().until(() -> Files.size(directory.resolve("w.out")) > 0);

        new WorkerStopper().stopAll(List.of(worker), Duration.ofSeconds(30)).get(20, SECONDS);

        assertThat(worker.exit().join()).isEqualTo(143);
        assertThat(directory.resolve("w.out")).hasContent("up\nsaved");
    }

    @Test
    void stopAll_leaderEndsAndItsChildIsDeaf_childIsKilledAtTheDeadline() throws Exception {
        WorkerProcess worker = Processes.start(
                launcher,
                Processes.shell(
                        directory,
                        "w",
                        "sh -c 'trap \"\" TERM; echo up; echo $$ > pids; while :; do sleep 0.02; done' & wait"));
        await().until(() -> Files.size(directory.resolve("w.out")) > 0
                && !Processes.pids(directory.resolve("pids")).isEmpty());

        new WorkerStopper().stopAll(List.of(worker), Duration.ofMillis(300)).get(20, SECONDS);

        assertThat(worker.exit().join()).isEqualTo(143);
        assertThat(Processes.pids(directory.resolve("pids"))).noneMatch(Processes::alive);
    }

    @Test
    void stopAll_processThatWaitsInTheKernel_isGivenUpByName() throws Exception {
        launcher.close();
        launcher = GroupProcessLauncher.create(
                List.of(directory.resolve("not-a-run-directory")),
                TimeUnit.MILLISECONDS.toNanos(300),
                replacedGuards::add);
        try (Freezer freezer = Freezer.create()) {
            WorkerProcess deaf = Processes.start(launcher, Processes.command(directory, "w", "sleep", "1000"));
            WorkerProcess other = Processes.start(launcher, Processes.command(directory, "o", "sleep", "1000"));
            freezer.freeze(deaf.pid());

            CompletableFuture<Void> stopped =
                    new WorkerStopper(TimeUnit.MILLISECONDS.toNanos(300)).stopAll(List.of(deaf, other), Duration.ZERO);

            assertThatThrownBy(() -> stopped.get(20, SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(UnkillableException.class, stuck -> assertThat(stuck.pids())
                            .containsExactly(deaf.pid()))
                    .hasMessageContainingAll("process " + deaf.pid() + " ", "0.3 s", "SIGKILL");
            assertThat(other.groupGone()).isCompleted();
            freezer.thaw();
            assertThat(deaf.exit().get(10, SECONDS)).isEqualTo(137);
        }
    }

    @Test
    void memoryWatch_realKill_isNamedWithTheLimit() throws Exception {
        try (MemoryLimit limit = MemoryLimit.of(32 << 20);
                OomWatcher watch = OomWatcher.start()) {
            WorkerProcess worker = Processes.start(
                    launcher,
                    Processes.shell(directory, "w", "while ! [ -e go ]; do sleep 0.01; done; exec tail /dev/zero"));
            limit.add(worker.pid());
            watch.add(worker.pid());
            Files.createFile(directory.resolve("go"));

            int exitCode = worker.exit().get(30, SECONDS);

            // The peak is reported by kernels of the second version from 5.19 on.
            assertThat(watch.explain(worker.pid(), exitCode)).hasValueSatisfying(text -> assertThat(text)
                    .contains(limit.name() + ": ")
                    .containsPattern(" 32 MiB,( peak 3[12] MiB,)? .* [0-9]+ MiB"));
            worker.groupGone().get(10, SECONDS);
        }
    }

    @Test
    void start_onOneProcessor_runsThereOnly() throws Exception {
        int cpu = Cpus.read().cores().get(0).get(0);
        WorkerCommand command = Processes.shell(directory, "w", "grep Cpus_allowed_list: /proc/self/status | cut -f2");

        Processes.start(
                        launcher,
                        new WorkerCommand(
                                command.argv(),
                                command.environment(),
                                command.stdout(),
                                command.stderr(),
                                command.workingDirectory(),
                                List.of(cpu),
                                false,
                                Optional.empty()))
                .exit()
                .get(10, SECONDS);

        assertThat(directory.resolve("w.out")).hasContent(Integer.toString(cpu));
    }

    @Test
    void stopAll_workersThatIgnoreTerm_areKilledAtOneDeadline() throws Exception {
        List<WorkerProcess> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workers.add(Processes.start(
                    launcher, Processes.shell(directory, "w" + i, "trap '' TERM; echo up; while :; do sleep 1; done")));
        }
        workers.add(Processes.start(
                launcher, Processes.shell(directory, "w4", "trap 'exit 5' TERM; echo up; sleep 1000 & wait")));
        for (int i = 0; i < 5; i++) {
            Path out = directory.resolve("w" + i + ".out");
            await().until(() -> Files.size(out) > 0);
        }

        long before = System.nanoTime();
        new WorkerStopper().stopAll(workers, Duration.ofMillis(600)).get(20, SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isBetween(Duration.ofMillis(600), Duration.ofMillis(2500));
        assertThat(workers.stream().map(worker -> worker.exit().join())).containsExactly(137, 137, 137, 137, 5);
    }

    @Test
    void stopAll_hundredsOfWorkers_agentAndGuardDoNotWaitForEachOther() throws Exception {
        List<WorkerProcess> workers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            workers.add(Processes.start(launcher, Processes.command(directory, "w", "sleep", "1000")));
        }
        long begin = System.nanoTime();

        new WorkerStopper().stopAll(workers, Duration.ofSeconds(30)).get(20, SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(9));
        assertThat(workers).allMatch(worker -> worker.exit().join() == 143);
    }

    @Test
    void stopAll_thenForce_endsTheGracePeriod() throws Exception {
        WorkerProcess worker = Processes.start(
                launcher, Processes.shell(directory, "w", "trap '' TERM; echo up; while :; do sleep 1; done"));
        await().until(() -> Files.size(directory.resolve("w.out")) > 0);
        WorkerStopper stopper = new WorkerStopper();

        CompletableFuture<Void> stopped = stopper.stopAll(List.of(worker), Duration.ofHours(1));
        assertThatThrownBy(() -> stopped.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        stopper.force();

        stopped.get(10, SECONDS);
        assertThat(worker.exit().join()).isEqualTo(137);
    }

    @Test
    void guard_dies_isReplacedAndKnowsTheGroups() throws Exception {
        WorkerProcess worker = Processes.start(launcher, Processes.command(directory, "w", "sleep", "1000"));
        long guard = launcher.guardPid().get(10, SECONDS);

        ProcessHandle.of(guard).orElseThrow().destroyForcibly();
        await().until(() -> replacedGuards.size() == 1);
        worker.signalGroup(GroupSignal.TERM);

        assertThat(worker.exit().get(10, SECONDS)).isEqualTo(143);
        assertThat(launcher.guardPid().get(10, SECONDS))
                .isEqualTo(replacedGuards.get(0))
                .isNotEqualTo(guard);
    }

    @Test
    void guard_diesWhileAGroupIsLeaving_groupGoneStillCompletes() throws Exception {
        for (int i = 0; i < 5; i++) {
            WorkerProcess worker = Processes.start(launcher, Processes.shell(directory, "w", "sleep 1000 & exit 0"));
            long guard = launcher.guardPid().get(10, SECONDS);
            ProcessHandle.of(guard).ifPresent(ProcessHandle::destroyForcibly);

            worker.groupGone().get(10, SECONDS);
        }
    }

    @Test
    void p9_close_workersHaveVanished_isSafeMoreThanOnce() throws Exception {
        WorkerProcess worker = Processes.start(launcher, Processes.command(directory, "w", "true"));
        worker.groupGone().get(10, SECONDS);

        worker.signalGroup(GroupSignal.KILL);
        launcher.close();
        launcher.close();

        assertThat(worker.exit().join()).isZero();
    }

    @Test
    void close_workersLeft_killsThemAndTheGuard() throws Exception {
        WorkerProcess worker = Processes.start(launcher, Processes.command(directory, "w", "sleep", "1000"));
        long guard = launcher.guardPid().get(10, SECONDS);

        launcher.close();

        await().until(() -> !Processes.alive(worker.pid()) && !Processes.alive(guard));
        assertThatThrownBy(() -> launcher.start(Processes.command(directory, "x", "true"))
                        .get(1, SECONDS))
                .cause()
                .isInstanceOf(IOException.class);
    }
}
