/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.config.NodeRange;
import dev.elasticrun.cli.options.SubmittedLine;
import dev.elasticrun.cli.options.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is executed on hosts. */
@Timeout(60)
final class SshPlanTest {
    private static final String FLAG = "--hosts";

    @TempDir
    private Path directory;

    private Path hosts(String text) throws IOException {
        return Files.writeString(directory.resolve("hosts"), text);
    }

    @Test
    void read_commentsAndSlots() throws Exception {
        assertThat(SshHost.read(FLAG, hosts("# two\n\nme@a slots=4 # big\n  10.0.0.2\n")))
                .containsExactly(host("me@a", 4), host("10.0.0.2", 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "-oProxyCommand=x", "a slots=0", "a slots=x", "a slots=1 x", "a\na", "", "# none", "a;b"})
    void read_wrong_isNamedWithItsLine(String text) throws Exception {
        Path file = hosts(text);

        assertThatThrownBy(() -> SshHost.read(FLAG, file))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(FLAG + ": " + file)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void read_noFile_isNamed() {
        assertThatThrownBy(() -> SshHost.read(FLAG, directory.resolve("none")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("none");
    }

    @Test
    void words_whatTheLineDoesNotHave_isAdded() {
        SshPlan plan = plan(List.of("--restart-policy=soft", "--nproc-per-node=2"), "app.jar", "--x");

        assertThat(plan.words(0))
                .containsExactly(
                        "elastic-run",
                        "--restart-policy=soft",
                        "--nproc-per-node=2",
                        "--nnodes=2",
                        "--run-id=ssh-1",
                        "--rdzv-backend=embedded",
                        "--rdzv-endpoint=a:29400",
                        "--node-rank=0",
                        "--nproc-per-node=4",
                        "--",
                        "app.jar",
                        "--x");
        assertThat(plan.words(1)).contains("--node-rank=1").doesNotContain("--nproc-per-node=4");
        assertThat(plan.minNodes()).isEqualTo(2);
    }

    @Test
    void words_whatTheLineHas_stays() {
        List<String> flags = List.of("--nnodes=1:2", "--run-id=r", "--rdzv-endpoint=etcd:2379", "--nproc-per-node=2");
        SshPlan plan = plan(flags, "app.jar");

        List<String> expected = new ArrayList<>(List.of("elastic-run"));
        expected.addAll(flags);
        expected.addAll(List.of("--node-rank=1", "--", "app.jar"));
        assertThat(plan.words(1)).containsExactlyElementsOf(expected);
        assertThat(plan.minNodes()).isEqualTo(1);
    }

    @Test
    void words_firstHostIsAnIpv6Address_isBracketed() {
        SshPlan plan = new SshPlan(
                List.of(host("me@fd00::1", 0), host("b", 0)), "elastic-run", "/", line(List.of(), "app.jar"), "ssh-1");

        assertThat(plan.words(1)).contains("--rdzv-endpoint=[fd00::1]:29400");
    }

    @ParameterizedTest
    @CsvSource({
        "--nnodes=3:4, '--nnodes: 3 (expected: at most 2, the number of hosts)'",
        "--node-rank=1, '--node-rank: given (expected: none: each host has its own)'",
        "--standalone, '--standalone: given (expected: one host)'"
    })
    void run_lineThatHostsCannotHave_isRefused(String flag, String message) throws Exception {
        Path file = hosts("a\nb\n");
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Ssh ssh = new Ssh("elastic-run", directory, List.of());

        assertThatThrownBy(() -> ssh.run(FLAG, file, line(List.of(flag), "app.jar"), nowhere, nowhere))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    /** By a shell of this machine in place of the host's. */
    @Test
    void remoteCommand_agentGetsItsWordsItsDirectoryAndTheKey_andSignals() throws Exception {
        try (Remote remote = new Remote(directory)) {
            remote.write("0123456789abcdef");

            assertThat(remote.out.readLine()).isEqualTo("0123456789abcdef it's $HOME " + directory.toRealPath());
            assertThat(remote.process.errorReader().readLine()).isEqualTo(SshPlan.REACHED);
            remote.write("TERM");

            assertThat(remote.out.readLine()).isEqualTo("drained");
            assertThat(remote.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(remote.process.exitValue()).isEqualTo(143);
        }
    }

    @Test
    void remoteCommand_connectionEnds_agentIsTerminated() throws Exception {
        try (Remote remote = new Remote(directory)) {
            remote.write("0123456789abcdef");
            assertThat(remote.out.readLine()).startsWith("0123456789abcdef ");

            remote.process.getOutputStream().close();

            assertThat(remote.out.readLine()).isEqualTo("drained");
            assertThat(remote.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A program in place of the launcher, started as on a host. */
    private static final class Remote implements AutoCloseable {
        private static final String PROGRAM = "trap 'echo drained; exit 143' TERM; for last; do :; done;"
                + " echo \"$(cat \"$ELASTICRUN_RUN_KEY_FILE\") $last $(pwd -P)\"; while :; do sleep 0.05; done";

        private final Process process;
        private final BufferedReader out;

        Remote(Path directory) throws IOException {
            Path launcher = Files.writeString(directory.resolve("launcher"), "#!/bin/sh\n" + PROGRAM + "\n");
            assertThat(launcher.toFile().setExecutable(true)).isTrue();
            SshPlan plan = new SshPlan(
                    List.of(host("a", 0)),
                    launcher.toString(),
                    directory.toString(),
                    line(List.of(), "app.jar", "it's $HOME"),
                    "ssh-1");
            process = new ProcessBuilder("sh", "-c", plan.remoteCommand(0)).start();
            out = process.inputReader();
        }

        void write(String line) throws IOException {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static SshHost host(String destination, int slots) {
        return new SshHost(destination, slots == 0 ? OptionalInt.empty() : OptionalInt.of(slots));
    }

    private static SubmittedLine line(List<String> flags, String... command) {
        NodeRange nodes = flags.stream()
                .filter(flag -> flag.startsWith("--nnodes="))
                .map(flag -> flag.substring(flag.indexOf('=') + 1).split(":"))
                .map(ends -> new NodeRange(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])))
                .findFirst()
                .orElse(new NodeRange(1, 1));
        return new SubmittedLine(flags, List.of(command), nodes, 1, List.of());
    }

    private static SshPlan plan(List<String> flags, String... command) {
        return new SshPlan(List.of(host("me@a", 4), host("b", 0)), "elastic-run", "/", line(flags, command), "ssh-1");
    }
}
