/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The training sample in all executors that a cluster manager gives an application, and at least one of them.
 *
 * @param logs what its agents log
 */
record SubmittedTraining(TestRun run, SparkCluster spark, int steps, Process driver, NodeLogs logs) {
    /**
     * Submits it.
     *
     * @param settings of Spark, beside the number of executors
     * @param logDirectory of the agents
     * @param logs of that directory
     */
    static SubmittedTraining submit(
            TestRun run,
            SparkCluster spark,
            Map<String, String> settings,
            int executors,
            int steps,
            String logDirectory,
            NodeLogs logs) {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("spark.executor.instances", Integer.toString(executors));
        List<String> line = new ArrayList<>(List.of(
                "--run-id",
                run.id(),
                "--nnodes",
                "1:" + executors,
                "--last-call-timeout",
                "60s",
                "--log-dir",
                logDirectory));
        line.addAll(Project.absolute(run.training(steps)));
        return new SubmittedTraining(run, spark, steps, spark.submit(all, line), logs);
    }

    /** Lets it come to its end, where all is as if nothing had happened. */
    void assertEndsFaultFree() throws InterruptedException {
        run.hurryUp();
        assertThat(driver.waitFor(TestRun.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(spark::logs)
                .isTrue();
        assertThat(driver.exitValue()).as(spark::logs).isZero();
        Trained.assertFaultFree(Trained.in(logs.workerOutputs().stream()), steps);
    }
}
