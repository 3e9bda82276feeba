/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.List;
import org.apache.spark.SparkContext;

/**
 * The main class for {@code spark-submit}: its arguments are the command line of a node, and the application is one run.
 *
 * <pre>{@code
 * spark-submit --class dev.elasticrun.spark.ElasticSparkSubmit elastic-run-spark.jar --nnodes 2:4 trainer.jar --epochs 20
 * }</pre>
 */
public final class ElasticSparkSubmit {
    private ElasticSparkSubmit() {}

    /** Ends with an {@link ElasticSparkException} if the line or a setting is wrong or the run fails, as Spark programs do. */
    public static void main(String[] line) throws InterruptedException {
        SparkContext context = SubmittedApplication.start("elastic-run");
        try {
            ElasticSparkResult result = ElasticJob.run(context, List.of(line), "");
            System.out.println("elastic-run: run " + result.runId() + ": " + result.reason());
        } finally {
            context.stop();
        }
    }
}
