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
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One training on four executors under ten conditions: some executors fewer from the start, or as many killed at once after
 * half of the boosting rounds, where the others wait for their successors and where they do not. Prints a table. By its name
 * only, as {@link SparkBench}.
 */
@Timeout(3600)
final class ConditionsBench {
    private static final int TURNS = Integer.getInteger("bench.turns", 1);
    private static final int ROWS = Integer.getInteger("bench.rows", 1_000_000);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 300);
    private static final String ETA = System.getProperty("bench.eta", "0.05");
    private static final int EXECUTORS = 4;
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Pattern RESULT =
            Pattern.compile(ConditionFit.RESULT + "([0-9.]+) s, loss ([0-9.]+), error ([0-9.]+)");

    @RegisterExtension
    final TestRun run = new TestRun();

    /**
     * What happens to executors.
     *
     * @param impacted number of those that are not there, or are killed
     */
    private record Condition(String name, int impacted, String policy, int minNodes, boolean isKilled) {
        static List<Condition> all() {
            return Stream.of(
                            IntStream.rangeClosed(0, 3)
                                    .mapToObj(fewer -> new Condition("fewer workers", fewer, "soft-elastic", 1, false)),
                            IntStream.rangeClosed(1, 3)
                                    .mapToObj(killed ->
                                            new Condition("non-elastic", killed, "soft-replace", EXECUTORS, true)),
                            IntStream.rangeClosed(1, 3)
                                    .mapToObj(killed -> new Condition("elastic", killed, "soft-elastic", 1, true)))
                    .flatMap(conditions -> conditions)
                    .toList();
        }

        Map<String, String> settings() {
            int cores = isKilled ? EXECUTORS : EXECUTORS - impacted;
            return Map.of("spark.task.maxFailures", "1000", "spark.cores.max", Integer.toString(cores));
        }
    }

    @Test
    void fits_underTenConditions() throws Exception {
        try (SparkCluster spark = SparkCluster.standalone(run.directory(), run.temporary(), EXECUTORS)) {
            List<String> lines = new ArrayList<>();
            for (int turn = 1; turn <= TURNS; turn++) {
                for (Condition condition : Condition.all()) {
                    lines.add(line(spark, condition, run.directory().resolve("logs-" + lines.size())));
                    System.out.println(lines.get(lines.size() - 1));
                }
            }
            System.out.println("| | workers | validation log loss | train error | time s | rows read by workers |\n"
                    + "|---|---|---|---|---|---|");
            lines.forEach(System.out::println);
        }
    }

    private String line(SparkCluster spark, Condition condition, Path logDirectory)
            throws IOException, InterruptedException {
        NodeLogs logs = new NodeLogs(Files.createDirectories(logDirectory), spark::driverOutput);
        Process driver = spark.submit(
                condition.settings(),
                ConditionFit.class,
                List.of(
                        run.directory().toString(),
                        Integer.toString(ROWS),
                        Integer.toString(ROUNDS),
                        ETA,
                        condition.policy(),
                        Integer.toString(condition.minNodes()),
                        Integer.toString(EXECUTORS),
                        logDirectory.toString()));
        if (condition.isKilled()) {
            Patience.until(
                    "half of the rounds",
                    LIMIT,
                    () -> BoostLogs.committed(logs) >= ROUNDS / 2 || !driver.isAlive(),
                    spark::driverOutput);
            spark.executors().stream().limit(condition.impacted()).forEach(ProcessHandle::destroyForcibly);
        }
        if (!driver.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(spark.logs());
        }
        Matcher result = RESULT.matcher(spark.driverOutput());
        if (!result.find()) {
            throw new IllegalStateException(spark.driverOutput());
        }
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.6f | %.6f | %.1f | %d |",
                condition.name(),
                condition.impacted(),
                Double.parseDouble(result.group(2)),
                Double.parseDouble(result.group(3)),
                Double.parseDouble(result.group(1)),
                BoostLogs.rowsRead(logs));
    }
}
