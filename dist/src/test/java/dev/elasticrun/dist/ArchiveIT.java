/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive, unpacked by another user than the one who runs it, into a path with spaces that is read-only. */
@Timeout(180)
final class ArchiveIT {
    private static final String JAVA = System.getProperty("java.home");

    private static Path directory;
    private static Path own;
    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        directory = Product.directory("archive-");
        own = UserProcess.directory(directory, "own");
        installation = Product.unpack(Product.archive(), directory.resolve("with spaces"));
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        Product.delete(directory);
    }

    @Test
    void workerOfTheSampleKilled_runGoesOnToItsEnd() throws Exception {
        try (UserProcess training =
                start(Map.of("JAVA_HOME", JAVA), installation.training(own.resolve("logs"), TrainingRun.STEPS))) {
            TrainingRun.assertSurvivesAKill(training);
        }
    }

    @Test
    void files_areThoseOfAnInstallation() {
        List<String> files = Product.files(installation.home());

        assertThat(files)
                .contains(
                        "LICENSE",
                        "NOTICE",
                        "README.md",
                        "bin/elastic-run",
                        "lib/elastic-run-scheduler-kubernetes.jar",
                        "licences/THIRD-PARTY.txt",
                        "samples/elastic-samples.jar",
                        "share/bash-completion/completions/elastic-run",
                        "share/fish/vendor_completions.d/elastic-run.fish",
                        "share/zsh/site-functions/_elastic-run",
                        "share/man/man1/elastic-run.1");
        Commands.names().forEach(name -> assertThat(files).contains("share/man/man1/elastic-run-" + name + ".1"));
    }

    @Test
    void texts_nameTheVersionAndTheLicencesOfOthers() throws IOException {
        assertThat(installation.home().resolve("README.md"))
                .content()
                .startsWith("# elastic-run " + Product.VERSION + "\n");
        assertThat(Files.readString(installation.home().resolve("licences/THIRD-PARTY.txt")))
                .contains("(Apache-2.0) Netty/Common", "(MIT) SLF4J API Module", "protobuf-java")
                .doesNotContain("Unknown license", "dev.elasticrun");
    }

    @Test
    void commandsOfTheScheduler_findItsJar() throws Exception {
        try (UserProcess list = start(Map.of("JAVA_HOME", JAVA), installation.command("list", "nothing://"))) {
            assertThat(list.exitCode()).isEqualTo(2);
            assertThat(list.err()).contains("expected: one of kubernetes, slurm");
        }
    }

    @Test
    void javaOfThePath_isUsed() throws Exception {
        String path = JAVA + "/bin:" + System.getenv("PATH");
        try (UserProcess version = start(Map.of("PATH", path), installation.command("--version"))) {
            assertThat(version.exitCode()).as(version.err()).isZero();
            assertThat(version.out()).startsWith("elastic-run " + Product.VERSION + " (commit ");
        }
    }

    @Test
    void withoutJava_isALineThatReportsWhichIsExpected() throws Exception {
        Path tools = Files.createDirectories(directory.resolve("tools"));
        for (String tool : List.of("dirname", "readlink")) {
            Path link = tools.resolve(tool);
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, Path.of("/usr/bin", tool));
            }
        }
        assertRefused(
                Map.of("PATH", tools.toString()),
                "elastic-run: java: not found (expected: Java 17 or later in JAVA_HOME or on the PATH)\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"11.0.22", "1.8.0_402", "16"})
    void olderJava_isRefused(String version) throws Exception {
        Path home = fakeJava("release-" + version, "exit 1");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");

        assertRefused(Map.of("JAVA_HOME", home.toString()), refusal(home, "Java " + version));
    }

    @Test
    void olderJavaWithoutAFileThatNamesIt_isRefused() throws Exception {
        Path home = fakeJava("asked", "echo 'openjdk version \"11.0.22\" 2024-01-16' >&2");

        assertRefused(Map.of("JAVA_HOME", home.toString()), refusal(home, "Java 11.0.22"));
    }

    @Test
    void programThatIsNoJava_isRefused() throws Exception {
        Path home = fakeJava("none", "exit 1");

        assertRefused(
                Map.of("JAVA_HOME", home.toString()),
                "elastic-run: " + home
                        + "/bin/java: does not report a version (expected: Java 17 or later in JAVA_HOME or on the PATH)\n");
    }

    private static String refusal(Path home, String what) {
        return "elastic-run: " + home + "/bin/java: " + what
                + " (expected: Java 17 or later in JAVA_HOME or on the PATH)\n";
    }

    private static Path fakeJava(String name, String script) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    private static void assertRefused(Map<String, String> environment, String message) throws Exception {
        try (UserProcess run = start(environment, installation.training(own.resolve("refused"), 1))) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).isEqualTo(message);
            assertThat(run.out()).isEmpty();
            assertThat(own.resolve("refused")).doesNotExist();
        }
    }

    private static UserProcess start(Map<String, String> environment, List<String> command) throws IOException {
        return UserProcess.start(own, environment(environment), command);
    }

    private static Map<String, String> environment(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH",
                System.getenv("PATH"),
                "XDG_CACHE_HOME",
                own.resolve("cache").toString()));
        environment.putAll(more);
        return environment;
    }
}
