/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
    @Tag("soak")
    void moreContainersAreKilledThanSparkAllowsByDefault_othersStay_eachIsReplaced_resultIsTheSame() throws Exception {
        SubmittedTraining training = submit(Map.of());
        losses.loseInTurn(training.logs(), LOSSES);

        training.assertEndsFaultFree();
        assertThat(spark.driverOutput()).contains("elastic-run: run " + run.id() + ": ");
    }

    /** The driver is in a container, too. */
    @Test
    void clusterMode_aContainerIsKilled_othersStay_replacementJoins_resultIsTheSame() throws Exception {
        SubmittedTraining training =
                submit(Map.of("spark.submit.deployMode", "cluster", "spark.executor.maxNumFailures", "1000"));
        losses.loseOne(training.logs(), ProcessHandle::destroyForcibly);

        training.assertEndsFaultFree();
    }

    private SubmittedTraining submit(Map<String, String> settings) throws IOException {
        Path logDirectory = Files.createDirectories(run.directory().resolve("logs"));
        return SubmittedTraining.submit(
                run,
                spark,
                settings,
                EXECUTORS,
                STEPS,
                logDirectory.toString(),
                new NodeLogs(logDirectory, spark::logs));
    }
}
