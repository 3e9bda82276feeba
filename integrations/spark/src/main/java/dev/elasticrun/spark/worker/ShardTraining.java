/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is trained on which shards: the driver states it as arguments of the workers' program.
 *
 * @param directory where the shards are and results are put, as a URI of a file system that all executors have
 * @param data how the shards look
 * @param rounds boosting rounds, from 1
 * @param patience rounds without a better score before the end; 0 = all rounds are done
 * @param checkpointShare of the rounds done, that may be done again after a loss
 * @param parameters as XGBoost takes them
 */
public record ShardTraining(
        String directory, Data data, int rounds, int patience, double checkpointShare, Map<String, String> parameters) {
    /** Below the directory: what is trained on. */
    public static final String TRAIN = "train";
    /** Below the directory: what the model is judged by. */
    public static final String EVALUATION = "eval";
    /** Below the directory: the model, in XGBoost's UBJ format. */
    public static final String MODEL = "model.ubj";
    /** Below the directory: what {@link MetricsText} has. */
    public static final String METRICS = "metrics.txt";
    /** Name of a column of the shards: a float. */
    public static final String LABEL = "label";
    /** Name of a column of the shards: an array of floats. */
    public static final String FEATURES = "features";
    /** Name of a column of the shards, if rows are weighted: a float. */
    public static final String WEIGHT = "weight";
    /** Name of a column of the shards, if rows have a base margin: a float. */
    public static final String MARGIN = "base_margin";
    /** Name of a column of the shards, if rows are grouped: a long. */
    public static final String GROUP = "group";
    /** The program's main class: a name, as the driver does not have all that the class needs. */
    public static final String PROGRAM = "dev.elasticrun.spark.worker.BoostShards";
    /** A variable of workers: the number of their agent's task. A task that is run again has the same number. */
    public static final String TASK = "ELASTICRUN_SPARK_TASK";
    /** A variable of workers: a file with settings of Hadoop's file systems. */
    public static final String SETTINGS = "ELASTICRUN_SPARK_HADOOP_SETTINGS";

    private static final String PARAMETER = "xgboost.";

    /**
     * How the shards look.
     *
     * @param shards number of shards, from 1
     * @param features values in each row
     * @param missing the value that stands for none
     * @param isWeighted whether each row, or each group, has a weight
     * @param hasMargins whether each row has a margin that it begins with
     * @param isGrouped whether rows are ranked within groups
     * @param isEvaluated whether there are shards to evaluate
     */
    public record Data(
            int shards,
            int features,
            float missing,
            boolean isWeighted,
            boolean hasMargins,
            boolean isGrouped,
            boolean isEvaluated) {}

    public ShardTraining {
        parameters = Map.copyOf(parameters);
    }

    /** Arguments from which {@link #parse} makes the same. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                "directory=" + directory,
                "shards=" + data.shards(),
                "features=" + data.features(),
                "missing=" + data.missing(),
                "weighted=" + data.isWeighted(),
                "margins=" + data.hasMargins(),
                "grouped=" + data.isGrouped(),
                "evaluated=" + data.isEvaluated(),
                "rounds=" + rounds,
                "patience=" + patience,
                "checkpointShare=" + checkpointShare));
        new TreeMap<>(parameters).forEach((name, value) -> arguments.add(PARAMETER + name + "=" + value));
        return arguments;
    }

    /** @throws IllegalArgumentException naming an argument that is missing, or is none of these */
    public static ShardTraining parse(List<String> arguments) {
        Map<String, String> values = new TreeMap<>();
        Map<String, String> parameters = new TreeMap<>();
        for (String argument : arguments) {
            int end = argument.indexOf('=');
            if (end < 0) {
                throw new IllegalArgumentException("argument: '" + argument + "' (expected: NAME=VALUE)");
            }
            String name = argument.substring(0, end);
            String value = argument.substring(end + 1);
            if (name.startsWith(PARAMETER)) {
                parameters.put(name.substring(PARAMETER.length()), value);
            } else {
                values.put(name, value);
            }
        }
        return new ShardTraining(
                value("directory", values),
                new Data(
                        Integer.parseInt(value("shards", values)),
                        Integer.parseInt(value("features", values)),
                        Float.parseFloat(value("missing", values)),
                        Boolean.parseBoolean(value("weighted", values)),
                        Boolean.parseBoolean(value("margins", values)),
                        Boolean.parseBoolean(value("grouped", values)),
                        Boolean.parseBoolean(value("evaluated", values))),
                Integer.parseInt(value("rounds", values)),
                Integer.parseInt(value("patience", values)),
                Double.parseDouble(value("checkpointShare", values)),
                parameters);
    }

    private static String value(String name, Map<String, String> values) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + ": not given (expected: among " + values.keySet() + ")");
        }
        return value;
    }
}
