/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A user's project: built with what is published and nothing else of ours, and run by an archive or by its own launcher. */
@Timeout(300)
final class ConsumerIT {
    private static final String JAVA = System.getProperty("java.home");
    private static final int STEPS = 3000;
    private static final String STEP_MILLIS = "20";
    /** What its policy states, which no other one does. */
    private static final String REASON = "nodes with a failure: 1";

    private static Path directory;
    private static Path own;
    private static Installation installation;
    private static ConsumerBuild consumer;
    private static String undisturbed;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        directory = Product.directory("consumer-");
        own = UserProcess.directory(directory, "own");
        installation = Product.unpack(Product.archive(), directory);
        consumer = ConsumerBuild.in(directory);
        try (UserProcess run = start(launched("undisturbed", own))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            undisturbed = result(run);
        }
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        Product.delete(directory);
    }

    @BeforeEach
    void takeTime() throws IOException {
        Files.deleteIfExists(hurry());
    }

    @Test
    void artifacts_areThoseOfTheDirectory() throws Exception {
        Path downloads = consumer.downloads().resolve("dev/elasticrun");

        for (String artifact : List.of("elastic-run-worker-api", "elastic-run-rendezvous", "elastic-run-agent")) {
            Path jar = Repository.file(artifact, ".jar");
            assertThat(downloads.resolve(artifact).resolve(Product.VERSION).resolve(jar.getFileName()))
                    .hasSameBinaryContentAs(jar);
        }
    }

    @Test
    void classPathOfTheLauncher_hasItsOwnVersionsOfWhatWeUse_andNothingOfTests() throws Exception {
        assertThat(names(consumer.launch().resolveSibling("lib")))
                .contains("guava-33.4.8-jre.jar", "jackson-databind-2.20.1.jar", "netty-common-4.2.10.Final.jar")
                .contains("netty-codec-http2-4.2.10.Final.jar")
                .noneMatch(name -> name.contains("junit") || name.contains("-tests"));
        assertThat(names(consumer.worker().resolveSibling("lib")))
                .contains("elastic-run-worker-api-" + Product.VERSION + ".jar", "netty-buffer-4.1.138.Final.jar")
                .filteredOn(name -> name.startsWith("elastic-run-"))
                .hasSize(1);
    }

    @Test
    void archive_workerKilled_loopGoesOnUnderThePolicy_withTheSameResult() throws Exception {
        List<String> command = installation.command(
                "--standalone",
                "--nproc-per-node",
                "2",
                "--policy-path",
                consumer.policy().toString(),
                "--restart-policy",
                "elastic-with-reason",
                "--log-dir",
                own.resolve("archive").toString(),
                consumer.worker().toString(),
                Integer.toString(STEPS),
                STEP_MILLIS,
                hurry().toString());
        try (UserProcess run = start(command)) {
            assertSurvivesAKill(run);
        }
    }

    @Test
    void launchConfig_workerKilled_loopGoesOnUnderThePolicy_withTheSameResult() throws Exception {
        try (UserProcess run = start(launched("launched", hurry()))) {
            assertSurvivesAKill(run);
            assertThat(run.out()).contains("\"exitCode\":0", "\"netty\":\"4.2.10.Final\"");
        }
    }

    private static void assertSurvivesAKill(UserProcess run) throws Exception {
        run.awaitOutput("round 1 world 2");
        run.worker(1).destroyForcibly();
        run.awaitOutput("round 3 world 2");
        Files.createFile(hurry());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out() + run.err()).contains(REASON);
        assertThat(result(run)).isEqualTo(undisturbed);
    }

    private static List<String> launched(String logs, Path hurry) {
        return List.of(
                JAVA + "/bin/java",
                "-jar",
                consumer.launch().toString(),
                consumer.worker().toString(),
                consumer.policy().toString(),
                own.resolve(logs).toString(),
                Integer.toString(STEPS),
                STEP_MILLIS,
                hurry.toString());
    }

    /** Once it is there, the program does not wait any more. */
    private static Path hurry() {
        return directory.resolve("hurry");
    }

    /** The line with the result, which rank 0 prints. */
    private static String result(UserProcess run) {
        String line = run.out()
                .lines()
                .filter(one -> one.contains("result {"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no result: " + run.out() + run.err()));
        return line.substring(line.indexOf("result {"));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static UserProcess start(List<String> command) throws IOException {
        return UserProcess.start(
                own,
                new HashMap<>(Map.of(
                        "PATH",
                        System.getenv("PATH"),
                        "JAVA_HOME",
                        JAVA,
                        "XDG_CACHE_HOME",
                        own.resolve("cache").toString())),
                command);
    }
}
