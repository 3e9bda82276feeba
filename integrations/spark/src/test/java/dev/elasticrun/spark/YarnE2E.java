/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same jar on YARN: executors are containers that a ResourceManager gives and NodeManagers run. */
@Timeout(240)
@Tag("slow")
final class YarnE2E {
    private static final int EXECUTORS = 2;

    /** More than Spark allows an application of so many executors to lose. */
    private static final int LOSSES = 5;

    /** For as many losses, one after the other. */
    private static final int STEPS = 2 * TestRun.ENOUGH;

    @RegisterExtension
    final TestRun run = new TestRun();

    private SparkCluster spark;
    private ExecutorLosses losses;

    @BeforeEach
    void start() {
        spark = SparkCluster.yarn(run.directory(), run.temporary(), 2);
        losses = new ExecutorLosses(EXECUTORS, spark::logs);
    }

    @AfterEach
    void stop() {
        spark.close();
    }

    @Test
    void moreContainersAreKilledThanSparkAllowsByDefault_othersStay_eachIsReplaced_resultIsTheSame() throws Exception {
        Process driver = submit(Map.of());
        NodeLogs logs = logs();
        losses.loseInTurn(logs, LOSSES);

        assertTrained(driver, logs);
        assertThat(spark.driverOutput()).contains("elastic-run: run " + run.id() + ": ");
    }

    /** The driver is in a container, too. */
    @Test
    void clusterMode_aContainerIsKilled_othersStay_replacementJoins_resultIsTheSame() throws Exception {
        Process driver = submit(Map.of("spark.submit.deployMode", "cluster", "spark.executor.maxNumFailures", "1000"));
        NodeLogs logs = logs();
        losses.loseOne(logs, ProcessHandle::destroyForcibly);

        assertTrained(driver, logs);
    }

    private void assertTrained(Process driver, NodeLogs logs) throws InterruptedException {
        run.hurryUp();
        assertThat(driver.waitFor(TestRun.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(spark::logs)
                .isTrue();
        assertThat(driver.exitValue()).as(spark::logs).isZero();
        Trained.assertFaultFree(Trained.in(logs.workerOutputs().stream()), STEPS);
    }

    private Process submit(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.of("spark.executor.instances", Integer.toString(EXECUTORS)));
        settings.putAll(more);
        List<String> line = new ArrayList<>(List.of(
                "--run-id",
                run.id(),
                "--nnodes",
                "1:" + EXECUTORS,
                "--last-call-timeout",
                "60s",
                "--log-dir",
                logDirectory().toString()));
        line.addAll(Project.absolute(run.training(STEPS)));
        return spark.submit(settings, line);
    }

    private NodeLogs logs() throws IOException {
        return new NodeLogs(Files.createDirectories(logDirectory()), spark::logs);
    }

    private Path logDirectory() {
        return run.directory().resolve("logs");
    }
}
