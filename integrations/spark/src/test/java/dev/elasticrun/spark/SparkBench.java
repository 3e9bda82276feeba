/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The same training by XGBoost4J-Spark in barrier mode and by this module's estimator, on the same cluster, without and with
 * the loss of an executor after half of the boosting rounds; by turns. Prints a table. By its name only:
 * {@code ./mvnw verify -Pspark-bench -pl integrations/spark,integrations/spark/cluster -am -Dtest=None
 * -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=SparkBench
 * -Dfailsafe.failIfNoSpecifiedTests=false}.
 */
@Timeout(3600)
final class SparkBench {
    private static final int TURNS = Integer.getInteger("bench.turns", 3);
    private static final int ROWS = Integer.getInteger("bench.rows", 150_000);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 150);
    private static final int EXECUTORS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final List<String> KINDS = List.of(TimedFit.BARRIER, "soft-replace", "soft-elastic");
    private static final Pattern RESULT =
            Pattern.compile(TimedFit.RESULT + "([0-9.]+) s, rows ([0-9]+), area ([0-9.]+)");
    /** What XGBoost4J-Spark prints of a round, in the driver's log. */
    private static final Pattern ROUND = Pattern.compile("\\[[0-9]+\\]\ttrain-logloss");
    /** As the estimator has it by default. */
    private static final double SHARE = 0.05;

    @RegisterExtension
    final TestRun run = new TestRun();

    /**
     * A fit.
     *
     * @param rows read by tasks of Spark and by workers
     * @param repeated boosting rounds that were done again
     */
    private record Fit(double seconds, long rows, String repeated, double area) {}

    @Test
    void fits_withoutAndWithTheLossOfAnExecutor() throws Exception {
        try (SparkCluster spark = SparkCluster.standalone(run.directory(), run.temporary(), EXECUTORS)) {
            List<String> lines = new ArrayList<>();
            for (int turn = 1; turn <= TURNS; turn++) {
                for (String kind : KINDS) {
                    for (boolean isKilled : new boolean[] {false, true}) {
                        String name = kind + (isKilled ? ", an executor is killed" : "");
                        lines.add(line(
                                turn,
                                name,
                                fit(spark, kind, isKilled, run.directory().resolve("logs-" + lines.size()))));
                        System.out.println(lines.get(lines.size() - 1));
                    }
                }
            }
            System.out.println(
                    "| turn | | time s | rows read | boosting rounds repeated | area under ROC |\n|---|---|---|---|---|---|");
            lines.forEach(System.out::println);
        }
    }

    private static String line(int turn, String name, Fit fit) {
        return String.format(
                Locale.ROOT,
                "| %d | %s | %.1f | %d | %s | %.4f |",
                turn,
                name,
                fit.seconds(),
                fit.rows(),
                fit.repeated(),
                fit.area());
    }

    private Fit fit(SparkCluster spark, String kind, boolean isKilled, Path logDirectory)
            throws IOException, InterruptedException {
        NodeLogs logs = new NodeLogs(Files.createDirectories(logDirectory), spark::driverOutput);
        Process driver = spark.submit(
                Map.of(
                        "spark.task.maxFailures",
                        "1000",
                        "spark.scheduler.barrier.maxConcurrentTasksCheck.interval",
                        "1s"),
                TimedFit.class,
                List.of(Path.of(
                        Objects.requireNonNull(System.getProperty("elasticrun.spark.barrier"), "-Pspark-bench"))),
                List.of(
                        run.directory().toString(),
                        Integer.toString(ROWS),
                        Integer.toString(ROUNDS),
                        kind,
                        logDirectory.toString()));
        long doneAtKill = 0;
        if (isKilled) {
            Patience.until(
                    "half of the rounds",
                    LIMIT,
                    () -> done(spark, logs) >= ROUNDS / 2 || !driver.isAlive(),
                    spark::driverOutput);
            doneAtKill = done(spark, logs);
            spark.executors().get(0).destroyForcibly();
        }
        if (!driver.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(spark.logs());
        }
        Matcher result = RESULT.matcher(spark.driverOutput());
        if (!result.find()) {
            System.out.println(spark.driverOutput());
            return new Fit(Double.NaN, 0, "failed", Double.NaN);
        }
        return new Fit(
                Double.parseDouble(result.group(1)),
                Long.parseLong(result.group(2)) + BoostLogs.rowsRead(logs),
                kind.equals(TimedFit.BARRIER)
                        ? Long.toString(printed(spark) - ROUNDS)
                        : "at most " + (long) Math.ceil(doneAtKill * SHARE),
                Double.parseDouble(result.group(3)));
    }

    /** Boosting rounds done, of ours those that are committed. */
    private static long done(SparkCluster spark, NodeLogs logs) {
        return Math.max(BoostLogs.committed(logs), printed(spark));
    }

    private static long printed(SparkCluster spark) {
        return ROUND.matcher(spark.driverOutput()).results().count();
    }
}
