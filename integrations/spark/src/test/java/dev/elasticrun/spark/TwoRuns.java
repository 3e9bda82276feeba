/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** A driver that runs the same program twice, one after the other, and prints what its workers handed over. */
public final class TwoRuns {
    private TwoRuns() {}

    /** @param arguments the program and its arguments */
    public static void main(String[] arguments) throws InterruptedException {
        SparkContext context = new SparkContext(new SparkConf().setAppName("two-runs"));
        try {
            for (int number = 1; number <= 2; number++) {
                ElasticSparkResult result = ElasticSpark.run(
                        context,
                        ElasticSparkConfig.nodes(3, 3).withRestartPolicy("soft"),
                        WorkerSpec.of(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length))
                                .withJavaOpts("-Xmx64m")
                                .withEnvironment("TWO_RUNS", Integer.toString(number)));
                result.results()
                        .forEach((rank, bytes) ->
                                System.out.println(result.runId() + " rank " + rank + ": " + new String(bytes, UTF_8)));
            }
        } finally {
            context.stop();
        }
    }
}
