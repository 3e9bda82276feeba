/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.launch.LaunchTraining;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The sample that launches from Java, in a JVM of its own. */
@Timeout(120)
final class LaunchFromJavaE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void launchTraining_allWell_reportsHowEachRankEnded() {
        Command.Result result = launch("samples/data/breast-cancer.csv");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output())
                .contains("rank 0 ended with 0", "rank 1 ended with 0", "rank 2 ended with 0", "rank 3 ended with 0")
                .contains("accuracy 0.9", "rank 0 handed over accuracy 0.9")
                .doesNotContain("root cause");
    }

    @Tag("once")
    @Test
    void launchTraining_noSuchFile_reportsTheRootCause() {
        Command.Result result = launch("nowhere.csv");

        assertThat(result.output()).contains("root cause: data file nowhere.csv");
    }

    private Command.Result launch(String data) {
        return Command.run(
                Map.of("TMPDIR", run.temporary().toString()),
                TestRun.LIMIT,
                List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        classPath(),
                        LaunchTraining.class.getName(),
                        Project.ROOT
                                .resolve("samples/target/elastic-samples.jar")
                                .toString(),
                        data,
                        "--steps",
                        "60"));
    }

    /** Absolute: the child runs elsewhere. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
