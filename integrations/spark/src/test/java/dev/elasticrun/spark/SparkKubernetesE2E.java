/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.KubernetesCluster;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The same jar on Kubernetes, by Spark's own means: executors are pods that the driver creates on a real control plane. */
@Tag("kubernetes")
@Timeout(240)
final class SparkKubernetesE2E {
    private static final int EXECUTORS = 2;

    /** More than Spark allows an application of so many executors to lose. */
    private static final int LOSSES = 5;

    /** For as many losses, one after the other. */
    private static final int STEPS = 2 * TestRun.ENOUGH;

    @TempDir
    private static Path directory;

    @AutoClose
    private static KubernetesCluster cluster;

    @RegisterExtension
    final TestRun run = new TestRun();

    @BeforeAll
    @Timeout(3600)
    static void start() {
        cluster = KubernetesCluster.start(directory);
    }

    @Test
    void podsAreEvictedAndLost_othersStay_eachIsReplaced_resultIsTheSame_nothingIsLeft() throws Exception {
        cluster.makeNamespace(run.id());
        try (SparkCluster spark = SparkCluster.kubernetes(run.directory(), run.temporary(), cluster, run.id())) {
            Path volumes = cluster.kubelet().volumes(run.id(), ExecutorPods.LOGS);
            NodeLogs logs =
                    new NodeLogs(Files.createDirectories(volumes), pid -> true, () -> spark.logs() + cluster.logs());
            SubmittedTraining training =
                    SubmittedTraining.submit(run, spark, Map.of(), EXECUTORS, STEPS, ExecutorPods.LOG_DIRECTORY, logs);

            long round = logs.awaitTogether(0, EXECUTORS);
            for (int loss = 0; loss < LOSSES; loss++) {
                Map<String, List<Long>> whole = logs.workers();
                Pod victim = executors().get(0);
                if (loss == 0) {
                    cluster.evict(victim);
                } else {
                    cluster.kubelet().lose(victim);
                }
                round = logs.awaitTogether(round, EXECUTORS);
                assertThat(NodeLogs.kept(whole, logs.workers()))
                        .as(cluster::logs)
                        .isEqualTo(EXECUTORS - 1);
            }

            training.assertEndsFaultFree();
            assertThat(spark.driverOutput()).contains("elastic-run: run " + run.id() + ": ");
            Patience.until(
                    "the end of all pods",
                    TestRun.LIMIT,
                    () -> executors().isEmpty()
                            && cluster.kubelet().processes(run.id()).isEmpty(),
                    cluster::logs);
        }
    }

    private List<Pod> executors() {
        return cluster.pods(run.id(), ExecutorPods.LABEL, ExecutorPods.EXECUTOR);
    }
}
