/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.samples.FaultFree;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs in the executors of a real Spark: the loss of an executor is a loss of its workers, and of nothing else. */
@Timeout(240)
final class SparkE2E {
    private static final int EXECUTORS = 3;

    @RegisterExtension
    final TestRun run = new TestRun();

    private SparkCluster spark;

    @BeforeEach
    void start() {
        spark = SparkCluster.start(run.directory(), run.temporary(), EXECUTORS);
    }

    @AfterEach
    void stop() {
        spark.close();
    }

    @Test
    @Tag("once")
    void train_executorIsKilled_othersStay_replacementJoins_resultIsTheSame() throws Exception {
        Process driver = submit(
                "driver", Map.of("spark.task.maxFailures", "1000", "spark.executor.heartbeatInterval", "2s"), "1:3");
        NodeLogs logs = new NodeLogs(Files.createDirectory(logs()), spark::logs);
        long round = logs.awaitTogether(0, EXECUTORS);
        Map<String, List<Long>> whole = logs.workers();
        Map.Entry<String, List<Long>> victim = whole.entrySet().iterator().next();
        SparkCluster.executorOf(victim.getValue().get(0)).destroyForcibly();

        round = logs.awaitTogether(round, EXECUTORS - 1);
        Map<String, List<Long>> without = logs.workers();
        assertThat(whole).containsAllEntriesOf(without);
        assertThat(without).doesNotContainKey(victim.getKey());
        logs.awaitTogether(round, EXECUTORS);
        assertThat(logs.workers()).containsAllEntriesOf(without);

        run.hurryUp();
        assertThat(driver.waitFor(TestRun.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(spark.logs())
                .isTrue();
        assertThat(driver.exitValue()).as(spark.logs()).isZero();
        assertThat(spark.output("driver"))
                .contains("elastic-run: run " + run.id() + ": ")
                .containsPattern("INFO ElasticSpark: elastic-run-" + run.id() + ": .*step [0-9]+");
        double expected = FaultFree.loss(TestRun.ENOUGH);
        assertThat(Trained.in(logs.workerOutputs().stream())).singleElement().satisfies(trained -> {
            assertThat(trained.loss()).isEqualTo(expected, within(expected * 0.01));
            assertThat(trained.steps()).isEqualTo(TestRun.ENOUGH);
        });
    }

    @Test
    @Tag("slow")
    void driverIsKilled_executorsEnd_andTheirWorkersWithThem() throws Exception {
        Process driver = submit("driver", Map.of("spark.task.maxFailures", "1000"), "1:3");
        NodeLogs logs = new NodeLogs(Files.createDirectory(logs()), spark::logs);
        logs.awaitTogether(0, EXECUTORS);
        List<ProcessHandle> executors = logs.workers().values().stream()
                .map(workers -> SparkCluster.executorOf(workers.get(0)))
                .toList();
        assertThat(executors).hasSize(EXECUTORS).doesNotHaveDuplicates();

        driver.destroyForcibly();

        Patience.until(
                "end of all workers and executors",
                TestRun.LIMIT,
                () -> logs.workers().isEmpty() && executors.stream().noneMatch(Processes::isRunning),
                spark::logs);
    }

    @Test
    @Tag("slow")
    void settingsThatBreakElasticity_areNamedInTheDriver_nothingIsStarted() throws Exception {
        Process driver = submit(
                "driver",
                Map.of("spark.task.maxFailures", "4", "spark.speculation", "true", "spark.cores.max", "2"),
                "3");

        assertThat(driver.waitFor(TestRun.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(spark.logs())
                .isTrue();
        assertThat(driver.exitValue()).isOne();
        assertThat(spark.output("driver"))
                .contains("spark.task.maxFailures: 4 (expected: at least 100")
                .contains("spark.speculation: true (expected: false")
                .contains("spark.cores.max: 2 (expected: ");
    }

    private Path logs() {
        return run.directory().resolve("logs");
    }

    private Process submit(String name, Map<String, String> settings, String nodes) {
        List<String> line = new ArrayList<>(List.of(
                "--run-id",
                run.id(),
                "--nnodes",
                nodes,
                "--lease-ttl",
                "10s",
                "--last-call-timeout",
                "60s",
                "--log-dir",
                logs().toString()));
        List<String> program = new ArrayList<>(run.training());
        program.replaceAll(
                word -> word.startsWith("samples/") ? Project.ROOT.resolve(word).toString() : word);
        line.addAll(program);
        return spark.submit(name, settings, ElasticSparkSubmit.class.getName(), line);
    }
}
