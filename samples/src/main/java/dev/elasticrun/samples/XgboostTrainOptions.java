/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@code xgboost-train}.
 *
 * @param data rows to learn from, and, if some are held out, to be judged by
 * @param evaluation rows to be judged by instead; null = those that are held out
 * @param rounds boosting rounds, from 1
 * @param parameters of XGBoost
 * @param earlyStopping rounds without a better score before the end; 0 = all rounds are done
 * @param checkpointEvery rounds between two commits, from 1
 * @param timeout for how long XGBoost waits for a peer
 * @param isRepartitioned each round deals out all rows; else each worker keeps its part
 * @param shards number of parts; 0 = as many as the first round has workers
 * @param preload part to load before the worker has a rank; -1 = none
 * @param modelOut where rank 0 writes the model; null = nowhere
 * @param pace of the training
 */
record XgboostTrainOptions(
        RowFile data,
        @Nullable RowFile evaluation,
        int rounds,
        Map<String, Object> parameters,
        int earlyStopping,
        int checkpointEvery,
        Duration timeout,
        boolean isRepartitioned,
        int shards,
        int preload,
        @Nullable Path modelOut,
        Pace pace) {
    static final int DEFAULT_ROUNDS = 100;
    private static final int DEFAULT_TIMEOUT_SECONDS = 20;
    private static final int DEFAULT_REPORT_EVERY = 10;
    private static final List<String> NODE_INDICES = List.of("SLURM_NODEID", "JOB_COMPLETION_INDEX");

    static final String USAGE = "xgboost-train " + RowFileOptions.USAGE
            + " [--eval FILE] [--rounds N] [--param NAME=VALUE]... [--early-stopping N] [--checkpoint-every N]"
            + " [--shards fixed[:N]|repartition] [--node-index I] [--timeout SECONDS] [--model-out FILE]"
            + " [--round-millis N] [--load-millis N] [--hurry FILE] [--report-every N]";

    /**
     * @param roundTime time that a round waits, in place of the computation on more data
     * @param loadTime time that loading a part waits
     * @param hurry once this file exists no round waits; null = none
     * @param reportEvery rounds between two lines of progress, from 1
     */
    record Pace(
            Duration roundTime, Duration loadTime, @Nullable Path hurry, int reportEvery) {}

    /** @param environment may state which node of the job this is */
    static XgboostTrainOptions parse(List<String> arguments, Map<String, String> environment) {
        return new Parser(new Arguments("xgboost-train", USAGE, arguments)).parse(environment);
    }

    /** What was read so far. */
    private static final class Parser {
        private final Arguments options;
        private final RowFileOptions data = new RowFileOptions();
        private @Nullable Path evaluation;
        private int rounds = DEFAULT_ROUNDS;
        private final Map<String, Object> parameters =
                new LinkedHashMap<>(Map.of("objective", "binary:logistic", "tree_method", "hist", "nthread", "1"));
        private int earlyStopping;
        private int checkpointEvery = 1;
        private int timeout = DEFAULT_TIMEOUT_SECONDS;
        private boolean isRepartitioned;
        private int shards;
        private int nodeIndex = -1;
        private @Nullable Path modelOut;
        private int roundMillis;
        private int loadMillis;
        private @Nullable Path hurry;
        private int reportEvery = DEFAULT_REPORT_EVERY;

        Parser(Arguments options) {
            this.options = options;
        }

        XgboostTrainOptions parse(Map<String, String> environment) {
            while (options.hasNext()) {
                String name = options.next();
                if (!data.take(name, options) && !takeTraining(name) && !takePlace(name) && !takePace(name)) {
                    throw options.unknown();
                }
            }
            RowFile rows = data.build(options);
            return new XgboostTrainOptions(
                    rows,
                    evaluation == null ? null : new RowFile(evaluation, rows.format(), 0),
                    rounds,
                    parameters,
                    earlyStopping,
                    checkpointEvery,
                    Duration.ofSeconds(timeout),
                    isRepartitioned,
                    shards,
                    preload(environment),
                    modelOut,
                    new Pace(Duration.ofMillis(roundMillis), Duration.ofMillis(loadMillis), hurry, reportEvery));
        }

        private boolean takeTraining(String name) {
            switch (name) {
                case "--eval" -> evaluation = options.file("the path of a file of rows");
                case "--rounds" -> rounds = options.wholeNumber(1);
                case "--param" -> putParameter(options.text());
                case "--early-stopping" -> earlyStopping = options.wholeNumber(0);
                case "--checkpoint-every" -> checkpointEvery = options.wholeNumber(1);
                case "--timeout" -> timeout = options.wholeNumber(1);
                case "--model-out" -> modelOut = options.file("the path of a file, .json or .ubj");
                default -> {
                    return false;
                }
            }
            return true;
        }

        private boolean takePlace(String name) {
            switch (name) {
                case "--shards" -> takeShards(options.text());
                case "--node-index" -> nodeIndex = options.wholeNumber(0);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private boolean takePace(String name) {
            switch (name) {
                case "--round-millis" -> roundMillis = options.wholeNumber(0);
                case "--load-millis" -> loadMillis = options.wholeNumber(0);
                case "--hurry" -> hurry = options.file("the path of a file");
                case "--report-every" -> reportEvery = options.wholeNumber(1);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void putParameter(String text) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw options.bad("'" + text + "'", "NAME=VALUE, as max_depth=8");
            }
            parameters.put(text.substring(0, equals), text.substring(equals + 1));
        }

        private void takeShards(String text) {
            isRepartitioned = text.equals("repartition");
            shards = 0;
            if (text.startsWith("fixed:")) {
                shards = number(text.substring("fixed:".length()));
            }
            if (!isRepartitioned && !text.equals("fixed") && shards < 1) {
                throw options.bad(text, "fixed, fixed:N with N from 1, or repartition");
            }
        }

        /** Workers of one node have parts that follow each other, as long as nobody is lost. */
        private int preload(Map<String, String> environment) {
            int node = nodeIndex;
            for (String variable : NODE_INDICES) {
                if (node < 0) {
                    node = number(environment.getOrDefault(variable, ""));
                }
            }
            int local = number(environment.getOrDefault(WorkerEnv.LOCAL_RANK, ""));
            int locals = number(environment.getOrDefault(WorkerEnv.LOCAL_WORLD_SIZE, ""));
            long part = (long) node * locals + local;
            return node < 0 || local < 0 || locals < 1 || part >= shards ? -1 : (int) part;
        }

        /** -1 = none from 0 on. */
        private static int number(String text) {
            try {
                return Math.max(-1, Integer.parseInt(text));
            } catch (NumberFormatException e) {
                return -1;
            }
        }
    }
}
