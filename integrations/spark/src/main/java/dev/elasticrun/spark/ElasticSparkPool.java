/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * Agents of a pool in the executors of a Spark application, one in each, for the trials of {@code elastic-run tune}: a killed
 * executor costs its trial a node, and the executor that Spark starts in its place has an agent again.
 *
 * <pre>{@code
 * spark-submit --class dev.elasticrun.spark.ElasticSparkPool elastic-run-spark.jar \
 *     --agents 4 --pool nightly --rdzv-endpoint etcd:2379 --run-key-file pool.key
 * }</pre>
 */
public final class ElasticSparkPool {
    private static final String AGENTS = "--agents";
    private static final String POOL = "--pool";
    private static final String KEY = "--run-key-file";

    private ElasticSparkPool() {}

    /**
     * Has agents work until the calling thread is interrupted, or the application ends. Blocks.
     *
     * @param agents executors at most
     * @param key a file of the driver with the pool's key
     * @param options flags of {@code elastic-run agent}, at least the store of the pool
     * @throws ElasticSparkException if a setting of Spark is wrong, or no agent can work
     */
    public static void join(SparkContext context, int agents, String pool, Path key, List<String> options)
            throws InterruptedException {
        if (pool.isEmpty()) {
            throw new ElasticSparkException(POOL + ": '' (expected: the name of a pool)");
        }
        SparkSettings settings = SparkSettings.of(context);
        ElasticJob.check(settings, 1);
        ElasticJob.warnOfTooFewExecutors(settings, agents);
        List<String> line =
                new ArrayList<>(List.of("--engine", "none", "--nproc-per-node", Integer.toString(settings.taskCpus())));
        line.addAll(options);
        AgentJob job = AgentJob.submit(context, "pool-" + pool, agents, AgentPlan.ofPool(pool, line, read(key)));
        List<AgentOutcome> outcomes = job.await(ElasticJob.GRACE);
        outcomes.stream().filter(AgentOutcome::endsRun).findFirst().ifPresent(outcome -> {
            throw new ElasticSparkException("pool " + pool + ", executor " + outcome.executor() + " on "
                    + outcome.host() + ": " + outcome.end().reason());
        });
        job.failure().ifPresent(failure -> {
            throw new ElasticSparkException("pool " + pool + ": " + failure.getMessage(), failure);
        });
    }

    private static byte[] read(Path key) {
        try {
            return Files.readAllBytes(key);
        } catch (IOException e) {
            throw new ElasticSparkException(KEY + ": " + key + " (expected: a readable file; " + e + ")", e);
        }
    }

    /** The main class for {@code spark-submit}: {@code --agents N} and the command line of {@code elastic-run agent}. */
    public static void main(String[] line) throws InterruptedException {
        List<String> options = new ArrayList<>(List.of(line));
        int agents = whole(take(options, AGENTS));
        String pool = take(options, POOL);
        Path key = Path.of(take(options, KEY));
        SparkContext context = SubmittedApplication.start("elastic-run pool " + pool);
        try {
            join(context, agents, pool, key, options);
        } finally {
            context.stop();
        }
    }

    private static String take(List<String> options, String name) {
        int at = options.indexOf(name);
        if (at < 0 || at + 1 == options.size()) {
            throw new ElasticSparkException(name + ": missing (expected: " + AGENTS + " N " + POOL + " NAME " + KEY
                    + " FILE, and flags of elastic-run agent)");
        }
        options.remove(at);
        return options.remove(at);
    }

    private static int whole(String text) {
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new ElasticSparkException(AGENTS + ": " + text + " (expected: a whole number, 1 or more)");
    }
}
