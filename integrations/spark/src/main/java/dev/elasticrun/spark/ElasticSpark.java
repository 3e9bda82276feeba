/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * Starts elastic runs in the executors of a Spark application.
 *
 * <p>A run is one job. Each of its tasks is an agent, one for each executor, and starts workers as processes of their own.
 * The loss of an executor costs its workers: the others go on in their JVMs, and the executor that Spark starts in its place
 * joins. The job has no barrier.
 *
 * <pre>{@code
 * ElasticSparkResult result = ElasticSpark.run(
 *         spark.sparkContext(), ElasticSparkConfig.nodes(2, 4), WorkerSpec.of("trainer.jar", "--epochs", "20"));
 * }</pre>
 */
public final class ElasticSpark {
    private ElasticSpark() {}

    /**
     * Checks that the settings of an application let a run be elastic, as {@link #run} does before it starts.
     *
     * @throws ElasticSparkException naming each setting that does not, its value and what is expected
     */
    public static void check(SparkContext context, ElasticSparkConfig config) {
        ElasticJob.check(SparkSettings.of(context), config.minNodes());
    }

    /**
     * Runs workers until they are done. Blocks; an interrupt ends the run. Several runs at a time need executors of their
     * own, as any jobs do.
     *
     * @return results of all ranks
     * @throws ElasticSparkException before anything starts if a value or a setting of Spark is wrong, and when the run fails
     */
    public static ElasticSparkResult run(SparkContext context, ElasticSparkConfig config, WorkerSpec worker)
            throws InterruptedException {
        String program = worker.program().isEmpty()
                ? ApplicationClasses.here().jar(worker.mainClass()).toString()
                : worker.program();
        List<String> line = new ArrayList<>(List.of("--nnodes", config.minNodes() + ":" + config.maxNodes()));
        if (config.workersPerNode() != 0) {
            line.addAll(List.of("--nproc-per-node", Integer.toString(config.workersPerNode())));
        }
        line.addAll(worker.options());
        line.addAll(config.options());
        line.add("--");
        line.add(program);
        line.addAll(worker.arguments());
        return ElasticJob.run(context, line, worker.program().isEmpty() ? worker.mainClass() : "");
    }
}
