/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.store.MachinePart;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GuardIT {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final String MARK = SpawnMark.ofAgent();

    @TempDir
    Path directory;

    @Test
    void agentKilled_severalGroups_allDieAndTheRunDirectoryGoes() throws Exception {
        Path base = Files.createDirectory(directory.resolve("a base with  spaces"));
        Path disk = Files.createDirectory(base.resolve("disk"));
        Path output = Files.createDirectory(directory.resolve("out"));
        Process agent = doomedAgent(base, output);
        agent.destroyForcibly();
        List<Long> all = new ArrayList<>(workers(output));
        all.addAll(Processes.pids(output.resolve("guard")));

        await().atMost(Duration.ofSeconds(1))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> all.stream().noneMatch(Processes::alive)
                        && Files.notExists(Path.of(Files.readString(output.resolve("run")))));
        await().atMost(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(disk).isEmptyDirectory());
        assertThat(base).isDirectoryNotContaining(path -> !path.equals(disk));
    }

    @Test
    void agentAndGuardKilled_workersDieWithTheirParent() throws Exception {
        MachinePart.require(
                "setpriv of util-linux on the PATH", () -> Programs.find("setpriv", System.getenv(), Path.of("/")));
        Path base = Files.createDirectory(directory.resolve("base"));
        Files.createDirectory(base.resolve("disk"));
        Path output = Files.createDirectory(directory.resolve("out"));
        Process agent = doomedAgent(base, output);
        try {
            // Stopped first: it would replace its guard.
            new ProcessBuilder("kill", "-s", "STOP", Long.toString(agent.pid()))
                    .start()
                    .waitFor();
            Processes.pids(output.resolve("guard")).forEach(GuardIT::kill);
            agent.destroyForcibly();

            List<Long> leaders = Processes.pids(output.resolve("leaders"));
            assertThat(leaders).hasSize(3);
            await().atMost(Duration.ofSeconds(5)).until(() -> leaders.stream().noneMatch(Processes::alive));
        } finally {
            workers(output).forEach(GuardIT::kill);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"! yes", "! "})
    void endOfOrders_processThatIsNotRegistered_isFoundByItsMark(String order) throws Exception {
        ProcessBuilder unregistered = new ProcessBuilder(SETSID.toString(), "sh", "-c", "sleep 1000; echo");
        unregistered.environment().put(SpawnMark.VARIABLE, MARK + "1");
        ProcessBuilder other = new ProcessBuilder(SETSID.toString(), "sleep", "1000");
        other.environment().put(SpawnMark.VARIABLE, "of-another-" + MARK);
        Process guard = guard(directory);
        Process marked = unregistered.start();
        Process notMarked = other.start();
        try {
            await().until(() ->
                    ProcessTable.withVariable(SpawnMark.assignments(MARK)).contains(marked.pid()));
            order(guard, order);
            guard.getOutputStream().close();

            assertThat(marked.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(guard.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(notMarked.isAlive()).isTrue();
        } finally {
            marked.destroyForcibly();
            notMarked.destroyForcibly().waitFor();
        }
    }

    @Test
    void endOfOrders_grepThatKnowsNoNul_findsTheProcessAllTheSame() throws Exception {
        ProcessBuilder unregistered = new ProcessBuilder(SETSID.toString(), "sleep", "1000");
        unregistered.environment().put(SpawnMark.VARIABLE, MARK + "1");
        Process marked = unregistered.start();
        Process guard =
                guardWithGrep("for a; do case $a in -*z*) exit 2 ;; esac; done; exec /bin/grep \"$@\"", directory);
        try {
            await().until(() ->
                    ProcessTable.withVariable(SpawnMark.assignments(MARK)).contains(marked.pid()));
            guard.getOutputStream().close();

            assertThat(marked.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(guard.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            marked.destroyForcibly();
        }
    }

    @Test
    void endOfOrders_searchThatHangs_doesNotKeepTheDirectory() throws Exception {
        Path run = Files.createDirectories(directory.resolve("elastic-run-1/i/n"));
        Files.createFile(run.resolve("lock"));
        Path searching = directory.resolve("searching");
        Process guard = guardWithGrep(
                "[ ! -e '" + searching + "' ] || exit 1; echo $$ >'" + searching + "'; exec sleep 1000", run);
        try {
            guard.getOutputStream().close();

            assertThat(guard.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(run).doesNotExist();
        } finally {
            Processes.pids(searching).forEach(GuardIT::kill);
        }
    }

    private Process guardWithGrep(String script, Path runDirectory) throws Exception {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Path grep = Files.writeString(programs.resolve("grep"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(grep, PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder builder = new GuardCommand(SETSID, MARK, List.of(runDirectory)).builder();
        builder.environment().put("PATH", programs + ":/usr/bin:/bin");
        return builder.redirectOutput(new File("/dev/null")).start();
    }

    @Test
    void endOfOrders_unregisteredGroup_isSpared() throws Exception {
        Process guard = guard(directory);
        Process spared = new ProcessBuilder(SETSID.toString(), "sleep", "1000").start();
        Process killed = new ProcessBuilder(SETSID.toString(), "sleep", "1000").start();
        try {
            await().until(() -> ProcessTable.groupOf(killed.pid()).orElse(0) == killed.pid());
            order(guard, "+ " + spared.pid());
            order(guard, "+ " + killed.pid());
            order(guard, "- " + spared.pid());
            guard.getOutputStream().close();

            assertThat(killed.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(guard.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(spared.isAlive()).isTrue();
        } finally {
            killed.destroyForcibly();
            spared.destroyForcibly().waitFor();
        }
    }

    @Test
    void endOfOrders_directoryThatIsNoRunDirectory_stays() throws Exception {
        Path named = Files.createDirectories(directory.resolve("elastic-run-1/i/no-lock-file"));
        Path other = Files.createDirectories(directory.resolve("precious"));
        Files.createFile(other.resolve("lock"));
        Path target = Files.createDirectories(directory.resolve("target"));
        Files.createFile(target.resolve("lock"));
        Path link = Files.createSymbolicLink(directory.resolve("elastic-run-1/i/link"), target);
        Path dots = directory.resolve("elastic-run-1/i/../../precious");
        for (Path path : List.of(named, other, link, dots)) {
            Process guard = guard(path);
            guard.getOutputStream().close();
            assertThat(guard.waitFor(5, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(named).exists();
        assertThat(other.resolve("lock")).exists();
        assertThat(target.resolve("lock")).exists();
    }

    @Test
    void close_orderly_sparesGroupsAndDirectory() throws Exception {
        Path run = Files.createDirectories(directory.resolve("elastic-run-1/i/n"));
        Files.createFile(run.resolve("lock"));
        Process spared = new ProcessBuilder(SETSID.toString(), "sleep", "1000").start();
        try {
            Guard guard = Guard.start(new GuardCommand(SETSID, MARK, List.of(run)));
            guard.register(spared.pid());
            guard.close();

            await().until(() -> !Processes.alive(guard.pid()));
            assertThat(spared.isAlive()).isTrue();
            assertThat(run.resolve("lock")).exists();
        } finally {
            spared.destroyForcibly().waitFor();
        }
    }

    private static Process doomedAgent(Path base, Path output) throws Exception {
        Process agent = new ProcessBuilder(
                        TestJvm.command(List.of(), DoomedAgent.class, base.toString(), output.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.resolve("log").toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(output.resolve("run"))
                            && workers(output).size() == 12);
            return agent;
        } catch (RuntimeException e) {
            agent.destroyForcibly();
            throw e;
        }
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static Process guard(Path runDirectory) throws Exception {
        return new GuardCommand(SETSID, MARK, List.of(runDirectory))
                .builder()
                .redirectOutput(new File("/dev/null"))
                .start();
    }

    private static void order(Process guard, String order) throws Exception {
        guard.getOutputStream().write((order + "\n").getBytes(StandardCharsets.US_ASCII));
        guard.getOutputStream().flush();
    }

    private static List<Long> workers(Path output) throws Exception {
        List<Long> pids = new ArrayList<>();
        try (Stream<Path> files = Files.list(output)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".pids")).toList()) {
                pids.addAll(Processes.pids(file));
            }
        }
        return pids;
    }
}
