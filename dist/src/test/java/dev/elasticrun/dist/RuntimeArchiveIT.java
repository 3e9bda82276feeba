/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The archive with a Java of its own, where JAVA_HOME names another one that does not work. */
@Timeout(180)
final class RuntimeArchiveIT {
    private static Path directory;
    private static Path own;
    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        directory = Product.directory("archive-");
        own = UserProcess.directory(directory, "own");
        installation = Product.unpack(Product.archiveWithRuntime(), directory);
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        Product.delete(directory);
    }

    @Test
    void agentAndWorkers_runOnIt() throws Exception {
        String java = installation.home().resolve("runtime/bin/java").toString();
        try (UserProcess training = start(installation.training(own.resolve("logs"), TrainingRun.STEPS))) {
            training.awaitOutput(" world 2 round 1");

            assertThat(training.worker(0).info().command()).contains(java);
            assertThat(training.handle().info().command()).contains(java);
            TrainingRun.assertSurvivesAKill(training);
        }
    }

    @Test
    void workers_runOnTheOneThatIsNamed() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java").toRealPath();
        List<String> line = installation.training(own.resolve("named"), 200);
        line.addAll(1, List.of("--java", java.toString()));
        try (UserProcess training = start(line)) {
            training.awaitOutput(" world 2 round 1");

            assertThat(training.worker(0).info().command()).contains(java.toString());
            assertThat(training.exitCode()).as(training.err()).isZero();
        }
    }

    @Test
    void otherArchitecture_isRefused() throws Exception {
        Path copy = directory.resolve("copy");
        Product.run("cp", "-a", installation.home().toString(), copy.toString());
        Path architecture = copy.resolve("lib/architecture");
        Product.run("chmod", "u+w", architecture.toString());
        Files.writeString(architecture, "riscv64\n");

        try (UserProcess version = start(List.of(copy.resolve("bin/elastic-run").toString(), "--version"))) {
            assertThat(version.exitCode()).isEqualTo(2);
            assertThat(version.err())
                    .isEqualTo("elastic-run: architecture: " + System.getProperty("os.arch")
                            + " (expected: riscv64, or an installation without a Java of its own)\n");
        }
    }

    @Test
    void otherOperatingSystem_isRefused() throws Exception {
        Path tools = Files.createDirectory(directory.resolve("tools"));
        Path uname = Files.writeString(tools.resolve("uname"), "#!/bin/sh\necho Darwin x86_64\n");
        Product.run("chmod", "a+rx", uname.toString());
        List<String> command = new ArrayList<>(List.of("env", "PATH=" + tools + ":/usr/bin:/bin"));
        command.addAll(installation.command("--version"));

        try (UserProcess version = start(command)) {
            assertThat(version.exitCode()).isEqualTo(2);
            assertThat(version.err()).isEqualTo("elastic-run: operating system: Darwin (expected: Linux)\n");
        }
    }

    private static UserProcess start(List<String> command) throws IOException {
        Map<String, String> environment = Map.of(
                "PATH",
                "/usr/bin:/bin",
                "JAVA_HOME",
                "/nowhere",
                "XDG_CACHE_HOME",
                own.resolve("cache").toString());
        return UserProcess.start(own, environment, command);
    }
}
