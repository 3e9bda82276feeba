/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@code kmeans}.
 *
 * @param rows where the rows are; their labels are not used
 * @param clusters number of centroids, from 1
 * @param shards parts of the data, from 1; 0 = as many as there are workers in the first round
 * @param seed of the draw of the first centroids
 * @param maxIterations steps after which it ends in any case, from 1
 * @param stepTime time that a step waits, in place of more data
 * @param hurry once this file exists no step waits; null = none
 * @param output where rank 0 writes the centroids; null = nowhere
 */
record KMeansOptions(
        RowFile rows,
        int clusters,
        int shards,
        long seed,
        int maxIterations,
        Duration stepTime,
        @Nullable Path hurry,
        @Nullable Path output) {
    static final String USAGE = "kmeans " + RowFileOptions.USAGE + " [--clusters N] [--shards N] [--seed N]"
            + " [--max-iterations N] [--step-millis N] [--hurry FILE] [--output FILE]";
    private static final int DEFAULT_CLUSTERS = 2;
    private static final int DEFAULT_SEED = 1;
    private static final int DEFAULT_MAX_ITERATIONS = 300;

    static KMeansOptions parse(List<String> given) {
        RowFileOptions rows = new RowFileOptions();
        int clusters = DEFAULT_CLUSTERS;
        int shards = 0;
        int seed = DEFAULT_SEED;
        int maxIterations = DEFAULT_MAX_ITERATIONS;
        int stepMillis = 0;
        @Nullable Path hurry = null;
        @Nullable Path output = null;
        Arguments arguments = new Arguments("kmeans", USAGE, given);
        while (arguments.hasNext()) {
            String name = arguments.next();
            switch (name) {
                case "--clusters" -> clusters = arguments.wholeNumber(1);
                case "--shards" -> shards = arguments.wholeNumber(1);
                case "--seed" -> seed = arguments.wholeNumber(0);
                case "--max-iterations" -> maxIterations = arguments.wholeNumber(1);
                case "--step-millis" -> stepMillis = arguments.wholeNumber(0);
                case "--hurry" -> hurry = arguments.file("the path of a file");
                case "--output" -> output = arguments.file("the path of a file");
                default -> {
                    if (!rows.take(name, arguments)) {
                        throw arguments.unknown();
                    }
                }
            }
        }
        return new KMeansOptions(
                rows.build(arguments),
                clusters,
                shards,
                seed,
                maxIterations,
                Duration.ofMillis(stepMillis),
                hurry,
                output);
    }
}
