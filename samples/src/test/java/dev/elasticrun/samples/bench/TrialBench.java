/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a study saves when its workers go from trial to trial, and when agents without work join the trial that promises most: the
 * same studies with and without, by turns.
 */
final class TrialBench {
    /** As many rows as a worker takes more than a moment to read. */
    private static final int REPEATS = 40;

    private static final String SPACE = """
            space:
              eta: {log-uniform: [0.05, 0.5]}
              max_depth: {int: [3, 6]}
              subsample: {uniform: [0.5, 1]}
            """;

    private final Path directory;
    private final Path rows;
    private int runs;

    private TrialBench(Path directory, Path rows) {
        this.directory = directory;
        this.rows = rows;
    }

    /** A table. */
    static String run(Path parent, int turns) throws IOException {
        Path directory = Files.createDirectories(parent.resolve("trials"));
        List<String> lines = Files.readAllLines(Project.ROOT.resolve("samples/data/digits.csv"));
        List<String> all = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            all.addAll(lines);
        }
        TrialBench bench = new TrialBench(directory, Files.write(directory.resolve("rows.csv"), all));
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%n### Trials: %d rows, two agents of one worker each, %d turns%n%n"
                        + "| study | seconds without | with | ratio |%n|---|---|---|---|%n",
                all.size(),
                turns));
        table.append(bench.row(
                "XGBoost, 16 trials of 5 rounds, `reuse: true`",
                turns,
                bench.boosting(16, 5, "reuse: false"),
                bench.boosting(16, 5, "reuse: true")));
        table.append(bench.row(
                "XGBoost, 3 trials of 300 rounds, `move: true`",
                turns,
                bench.boosting(3, 300, "move: false"),
                bench.boosting(3, 300, "move: true")));
        table.append(bench.row(
                "3 trials of 100 steps that take 200 ms, divided among the workers, `move: true`",
                turns,
                bench.shared("move: false"),
                bench.shared("move: true")));
        return table.toString();
    }

    private String boosting(int trials, int rounds, String key) throws IOException {
        return study(
                trials,
                "eval-mlogloss",
                key,
                SPACE,
                List.of(
                        "xgboost-train",
                        "--data",
                        rows.toString(),
                        "--label",
                        "last",
                        "--hold-out",
                        "4",
                        "--shards",
                        "repartition",
                        "--rounds",
                        Integer.toString(rounds),
                        "--param",
                        "objective=multi:softprob",
                        "--param",
                        "num_class=10",
                        "--param",
                        "nthread=1"));
    }

    private String shared(String key) throws IOException {
        return study(
                3,
                "loss",
                key,
                "space: {x: {uniform: [0, 1]}, y: {uniform: [0, 1]}}",
                List.of("trial-curve", "--steps", "100", "--shared-millis", "200"));
    }

    /** Two at a time. */
    private static String study(int trials, String metric, String key, String space, List<String> arguments)
            throws IOException {
        return String.join(
                "\n",
                "study: trials",
                "metric: " + metric,
                "trials: " + trials,
                "concurrent: 2",
                key,
                space,
                "program: samples/target/elastic-samples.jar",
                "arguments: " + new ObjectMapper().writeValueAsString(arguments),
                "run: {runtime: xgboost, nnodes: \"1:2\", restart-policy: soft-elastic}");
    }

    private String row(String name, int turns, String without, String with) throws IOException {
        double[] before = new double[turns];
        double[] after = new double[turns];
        for (int turn = 0; turn < turns; turn++) {
            before[turn] = seconds(without);
            after[turn] = seconds(with);
        }
        return String.format(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %.2f |%n",
                name,
                median(before),
                median(after),
                median(after) / median(before));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private double seconds(String study) throws IOException {
        runs++;
        Path place = Files.createDirectories(directory.resolve("run-" + runs));
        return TimedStudy.run(place, study).seconds();
    }
}
