/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.options.HelpPage;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input, as a user meets it: a message, exit code 2, and nothing left running. */
@Tag("once")
@Timeout(120)
final class CommandLineIT {
    private static final String HINT = "see elastic-run --help";

    @TempDir
    private Path directory;

    @Test
    void help_endsWithZero() throws Exception {
        try (Script script = Script.start(directory, "--help")) {
            assertThat(script.exitCode()).isZero();
            assertThat(script.out()).isEqualTo(HelpPage.RUN.text());
            assertThat(script.err()).isEmpty();
        }
    }

    @Test
    void version_hasTheCommitOfTheBuildAndTheJava() throws Exception {
        try (Script script = Script.start(directory, "--version")) {
            assertThat(script.exitCode()).isZero();
            assertThat(script.out())
                    .matches("elastic-run \\d+\\.\\d+\\.\\d+ \\(commit ([0-9a-f]{12}|unknown)\\) on Java "
                            + Pattern.quote(Runtime.version().toString()) + "\n");
        }
    }

    @Test
    void anotherThatOnlyLooksWhetherItIsBuilt_isNotTakenForABuild() throws Exception {
        // As the script looks: with a lock that others can share.
        String lock = Path.of("target/build.lock").toAbsolutePath().toString();
        Process looking = new ProcessBuilder("flock", "-s", lock, "sh", "-c", "echo held; read -r end")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader printed = looking.inputReader()) {
            assertThat(printed.readLine()).isEqualTo("held");
            try (Script script = Script.start(directory, "--help")) {
                assertThat(script.exitCode()).isZero();
                assertThat(script.err()).isEmpty();
            }
        } finally {
            looking.getOutputStream().close();
            looking.waitFor();
        }
    }

    @Test
    void whatItBuilds_isCompiledAgainByABuildWithChecks() throws Exception {
        for (String file : List.of("bin/elastic-run", "src/main/sh/start.sh")) {
            Path copy = directory.resolve("launcher-cli").resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(Path.of(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path wrapper = Files.writeString(directory.resolve("mvnw"), """
                #!/bin/sh
                mkdir -p launcher-cli/target/maven-status integrations/slurm/target/maven-status
                : > launcher-cli/target/elastic-run.jar
                """);
        Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process command = new ProcessBuilder(
                        directory.resolve("launcher-cli/bin/elastic-run").toString(), "--version")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        command.waitFor();
        assertThat(directory.resolve("launcher-cli/target/elastic-run.jar")).exists();
        assertThat(directory.resolve("launcher-cli/target/maven-status")).doesNotExist();
        assertThat(directory.resolve("integrations/slurm/target/maven-status")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nods 2 /bin/true | --nods: unknown flag (expected: a flag that --help lists; the nearest is --nnodes)",
                "--nnodes 3:2 /bin/true | --nnodes: 3:2 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "--nnodes 0 /bin/true | --nnodes: 0 (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "--nnodes x /bin/true | --nnodes: x (expected: N or MIN:MAX with 1 <= MIN <= MAX)",
                "--standalone | PROGRAM: missing (expected: a jar, a Python script or an executable)",
                "--standalone no-such.jar | PROGRAM: no-such.jar (expected: a jar that exists)",
                "--standalone no-such-program | PROGRAM: no-such-program (expected: a jar, or a program on the PATH)",
                "--restart-policy sofd /bin/true | --restart-policy: sofd (expected: soft or one of hard, soft-elastic, soft-no-replace, soft-replace)",
                "--nnodes 2 /bin/true | --run-id: not given (expected: a name that all nodes use, since --nnodes allows several)",
            })
    void badInput_isOneLine(String arguments, String expected) throws Exception {
        try (Script script = Script.start(directory, arguments.split(" "))) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err().lines()).containsExactly("elastic-run: " + expected, HINT);
            assertThat(script.out()).isEmpty();
        }
    }

    @Test
    void logDirectoryThatIsAFile_isNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        try (Script script = Script.start(directory, "--log-dir", file.toString(), "/bin/true")) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err())
                    .startsWith("elastic-run: --log-dir: " + file + " (expected: a directory that can be written");
            assertThat(script.err().lines()).hasSize(2);
        }
    }

    @Test
    void temporaryDirectoryThatCannotBeWritten_logDirectoryIsGiven_isNotNeeded() throws Exception {
        String logs = directory.resolve("logs").toString();
        Map<String, String> variables = Map.of("TMPDIR", "/proc/none");
        try (Script script =
                Script.start(directory, variables, "--standalone", "--log-dir", logs, "--no-console", "/bin/true")) {
            assertThat(script.exitCode()).as(script.err()).isZero();
        }
        try (Script script = Script.start(directory, variables, "--standalone", "/bin/true")) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err()).startsWith("elastic-run: --log-dir: /proc/none/elastic-run-");
        }
    }

    @Test
    void defaultLogDirectory_plantedByAnother_isRefusedWithItsMode() throws Exception {
        int user = (Integer) Files.getAttribute(directory, "unix:uid");
        Path planted = Files.createDirectory(directory.resolve("elastic-run-" + user));
        Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
        Map<String, String> variables = Map.of("TMPDIR", directory.toString());

        try (Script script = Script.start(directory, variables, "--standalone", "/bin/true")) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err())
                    .startsWith("elastic-run: --log-dir: " + planted + " (expected: ")
                    .contains("belongs to user " + user + " with mode rwxrwxrwx");
        }
        assertThat(planted).isEmptyDirectory();
    }

    @Test
    void etcdThatDoesNotAnswer_isNamedWithTheTime() throws Exception {
        String endpoint = "127.0.0.1:" + unusedPort();
        try (Script script = start(
                "--nnodes",
                "1:2",
                "--run-id",
                "x",
                "--rdzv-endpoint",
                endpoint,
                "--first-contact-timeout",
                "1s",
                "/bin/true")) {
            assertThat(script.exitCode()).isEqualTo(5);
            assertThat(script.err())
                    .contains("elastic-run: exit 5: etcd at " + endpoint + " did not answer within 1 s")
                    .contains("Connection refused");
            assertThat(script.err()).doesNotContain("\tat ");
        }
    }

    @Test
    void endpointThatCannotBeResolved_isNamedWithoutStackTraces() throws Exception {
        try (Script script = start(
                "--nnodes",
                "1:2",
                "--run-id",
                "x",
                "--rdzv-endpoint",
                "no-such-host.invalid:2379",
                "--first-contact-timeout",
                "1s",
                "/bin/true")) {
            assertThat(script.exitCode()).isEqualTo(5);
            assertThat(script.err()).contains("Unable to resolve host no-such-host.invalid");
            assertThat(script.err()).doesNotContain("\tat ", "ManagedChannel");
        }
    }

    @Test
    void portThatSomebodyElseUses_isNamed() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String endpoint = "127.0.0.1:" + other.getLocalPort();
            try (Script script = start(
                    "--rdzv-backend",
                    "embedded",
                    "--run-id",
                    "x",
                    "--rdzv-endpoint",
                    endpoint,
                    "--first-contact-timeout",
                    "1s",
                    "/bin/true")) {
                assertThat(script.exitCode()).isEqualTo(2);
                assertThat(script.err()).contains("elastic-run: --rdzv-endpoint: " + endpoint + " is in use");
            }
        }
    }

    @Test
    void statusOfAnUnknownRun_namesItAndThePlaces() throws Exception {
        try (Script script = Script.start(directory, "status", "--run-id", "no-such-run")) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err())
                    .contains("--run-id: no-such-run (expected:")
                    .contains("--rdzv-endpoint with the store of one elsewhere");
        }
    }

    private Script start(String... arguments) throws IOException {
        String[] all = Arrays.copyOf(new String[] {"--log-dir", directory.toString()}, arguments.length + 2);
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return Script.start(directory, all);
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
