/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * Studies of XGBoost with twelve parameters on public data sets: how many boosting rounds a rule saves, and what it costs in the test
 * metric of the best candidate. A fifth of the rows are for the test, a quarter of the others judge the trials. All studies with a
 * seed try the same parameters, but for those of the model-based search.
 */
final class StudyBench {
    private static final int TRIALS = 40;
    private static final int ROUNDS = 100;
    private static final int TEST_EVERY = 5;

    private static final List<Data> SETS = List.of(
            new Data("breast-cancer", 1, "logloss", List.of("objective=binary:logistic")),
            new Data("digits", 0, "mlogloss", List.of("objective=multi:softprob", "num_class=10")),
            new Data("wine", 0, "mlogloss", List.of("objective=multi:softprob", "num_class=3")));

    private static final Map<String, String> METHODS = methods();

    private static final String SPACE = """
            space:
              eta: {log-uniform: [0.01, 0.5]}
              max_depth: {int: [2, 10]}
              min_child_weight: {log-uniform: [0.1, 10]}
              subsample: {uniform: [0.5, 1]}
              colsample_bytree: {uniform: [0.3, 1]}
              colsample_bylevel: {uniform: [0.3, 1]}
              lambda: {log-uniform: [0.01, 10]}
              alpha: {log-uniform: [0.001, 10]}
              gamma: {log-uniform: [0.001, 5]}
              max_delta_step: {int: [0, 5]}
              max_bin: [64, 128, 256]
              grow_policy: [depthwise, lossguide]
            """;

    private final Path directory;
    private final int concurrent;

    private StudyBench(Path directory, int concurrent) {
        this.directory = directory;
        this.concurrent = concurrent;
    }

    /** @param header lines before the rows */
    private record Data(String name, int header, String metric, List<String> parameters) {}

    /**
     * What a study did.
     *
     * @param rounds boosting rounds of all trials
     * @param test the best candidate's metric on the rows for the test
     * @param seconds wall time
     */
    private record Outcome(long rounds, double test, double seconds) {}

    private static Map<String, String> methods() {
        Map<String, String> methods = new LinkedHashMap<>();
        methods.put("none", "rule: none");
        methods.put("early stopping, patience 10", "rule: {kind: early-stopping, patience: 10}");
        methods.put("median, grace 5", "rule: {kind: median, grace: 5}");
        methods.put("ASHA, grace 4, reduction 3", "rule: {kind: asha, grace: 4, reduction: 3}");
        methods.put(
                "TPE, hyperband of 2 brackets, grace 4, reduction 3",
                "search: tpe\nrule: {kind: hyperband, grace: 4, reduction: 3, brackets: 2}");
        return methods;
    }

    /** A table. */
    static String run(Path directory, int seeds, int concurrent) throws IOException {
        StudyBench bench = new StudyBench(Files.createDirectories(directory.resolve("studies")), concurrent);
        StringBuilder table = new StringBuilder(String.format(
                "%n### Studies: %d trials of %d rounds, %d at a time, %d seeds%n%n"
                        + "| data | rule | rounds pruned | test metric, change | seconds |%n|---|---|---|---|---|%n",
                TRIALS, ROUNDS, concurrent, seeds));
        for (Data data : SETS) {
            bench.split(data);
            List<Outcome> baseline = bench.outcomes(data, METHODS.getOrDefault("none", ""), seeds);
            for (Map.Entry<String, String> method : METHODS.entrySet()) {
                boolean isBaseline = method.getKey().equals("none");
                List<Outcome> outcomes = isBaseline ? baseline : bench.outcomes(data, method.getValue(), seeds);
                table.append(row(data, method.getKey(), outcomes, baseline));
            }
        }
        return table.toString();
    }

    private static String row(Data data, String method, List<Outcome> outcomes, List<Outcome> baseline) {
        double pruned = mean(outcomes, one -> 100 - 100.0 * one.rounds() / (TRIALS * ROUNDS));
        double test = mean(outcomes, Outcome::test);
        double change = 100 * (test / mean(baseline, Outcome::test) - 1);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.1f %% | %s %.4f, %+.1f %% | %.0f |%n",
                data.name(),
                method,
                pruned,
                data.metric(),
                test,
                change,
                mean(outcomes, Outcome::seconds));
    }

    private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> value) {
        return outcomes.stream().mapToDouble(value).average().orElseThrow();
    }

    private void split(Data data) throws IOException {
        List<String> lines = Files.readAllLines(Project.ROOT.resolve("samples/data/" + data.name() + ".csv"));
        List<String> rows = lines.subList(data.header(), lines.size());
        List<String> training = new ArrayList<>();
        List<String> test = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            (row % TEST_EVERY == TEST_EVERY - 1 ? test : training).add(rows.get(row));
        }
        Files.write(training(data), training);
        Files.write(test(data), test);
    }

    private Path training(Data data) {
        return directory.resolve(data.name() + "-training.csv");
    }

    private Path test(Data data) {
        return directory.resolve(data.name() + "-test.csv");
    }

    private List<Outcome> outcomes(Data data, String method, int seeds) throws IOException {
        List<Outcome> outcomes = new ArrayList<>();
        for (int seed = 1; seed <= seeds; seed++) {
            outcomes.add(outcome(data, method, seed));
        }
        return outcomes;
    }

    private Outcome outcome(Data data, String method, int seed) throws IOException {
        Path place = Files.createTempDirectory(directory, data.name() + "-");
        List<String> arguments = new ArrayList<>(List.of(
                "xgboost-train",
                "--data",
                training(data).toString(),
                "--label",
                "last",
                "--hold-out",
                "4",
                "--rounds",
                Integer.toString(ROUNDS),
                "--model-out",
                place.resolve("model-${trial}.ubj").toString()));
        data.parameters().forEach(parameter -> arguments.addAll(List.of("--param", parameter)));
        String study = String.join(
                "\n",
                "study: " + data.name(),
                "metric: eval-" + data.metric(),
                "trials: " + TRIALS,
                "concurrent: " + concurrent,
                "seed: " + seed,
                method,
                SPACE,
                "program: samples/target/elastic-samples.jar",
                "arguments: " + new ObjectMapper().writeValueAsString(arguments),
                "run: {runtime: xgboost}");
        TimedStudy driven = TimedStudy.run(place, study);
        JsonNode results = driven.results();
        long rounds = 0;
        for (JsonNode trial : results.path("trials")) {
            rounds += trial.path("steps").size();
        }
        Path model = place.resolve("model-" + results.path("best").asInt() + ".ubj");
        return new Outcome(rounds, test(data, model), driven.seconds());
    }

    private double test(Data data, Path model) throws IOException {
        double[][] rows = Files.readAllLines(test(data)).stream()
                .map(line -> Arrays.stream(line.split(",", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toArray(double[][]::new);
        int columns = rows[0].length - 1;
        float[] values = new float[rows.length * columns];
        float[] labels = new float[rows.length];
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < columns; column++) {
                values[row * columns + column] = (float) rows[row][column];
            }
            labels[row] = (float) rows[row][columns];
        }
        try {
            DMatrix matrix = new DMatrix(values, rows.length, columns, Float.NaN);
            matrix.setLabel(labels);
            Booster booster = XGBoost.loadModel(model.toString());
            booster.setParam("eval_metric", data.metric());
            String text = booster.evalSet(new DMatrix[] {matrix}, new String[] {"test"}, 0);
            return Double.parseDouble(text.substring(text.lastIndexOf(':') + 1).strip());
        } catch (XGBoostError e) {
            throw new IllegalStateException(e);
        }
    }
}
