/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import dev.elasticrun.spark.ElasticSpark;
import dev.elasticrun.spark.ElasticSparkConfig;
import dev.elasticrun.spark.ElasticSparkException;
import dev.elasticrun.spark.WorkerSpec;
import dev.elasticrun.spark.worker.MetricsText;
import dev.elasticrun.spark.worker.ShardTraining;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReadable;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Trains a model of XGBoost in the executors of this application, while executors are lost and come.
 *
 * <pre>{@code
 * ElasticXgboostEstimator boosting = new ElasticXgboostEstimator()
 *         .setObjective("binary:logistic")
 *         .setLabelCol("diagnosis")
 *         .setNumRound(100)
 *         .setMinNodes(2)
 *         .setMaxNodes(4)
 *         .setDataDirectory("hdfs:///tmp/training");
 * PipelineModel fitted = new Pipeline().setStages(new PipelineStage[] {assembler, boosting}).fit(rows);
 * }</pre>
 *
 * <p>Rows are written once, as Parquet files of {@code dataDirectory}, a shard for each worker; workers read their own, and
 * keep them in memory for as long as they live. After the training the files are deleted. The others train on without the
 * rows of a lost worker until another one has read them. Where {@code minNodes} is {@code maxNodes} they wait for it, and
 * under {@code soft-replace} the model is that of an undisturbed training to the last bit.
 */
public final class ElasticXgboostEstimator extends XgboostEstimatorParams implements DefaultParamsWritable {
    private static final String RUNTIME = "xgboost";

    private @Nullable Dataset<?> evalDataset;

    public ElasticXgboostEstimator() {
        this(Identifiable$.MODULE$.randomUID("elasticXgboost"));
    }

    /** @param uid identifies this stage of a pipeline */
    public ElasticXgboostEstimator(String uid) {
        super(uid);
    }

    /** Reads what {@link #write} wrote; an evaluation set is not part of it. */
    public static MLReader<ElasticXgboostEstimator> read() {
        return new Reading().read();
    }

    public static ElasticXgboostEstimator load(String path) {
        return read().load(path);
    }

    /** Rows that are evaluated after each round, and not trained on. They have the columns of those that are fitted. */
    public ElasticXgboostEstimator setEvalDataset(Dataset<?> rows) {
        evalDataset = rows;
        return this;
    }

    /**
     * Trains. Blocks; an interrupt ends the training.
     *
     * @throws IllegalArgumentException when rows or parameters cannot be trained with; names column or parameter, value and
     *     what is expected
     * @throws ElasticSparkException when a setting of Spark breaks elasticity, and when the training fails
     */
    @Override
    public ElasticXgboostModel fit(Dataset<?> dataset) {
        transformSchema(dataset.schema());
        SparkContext context = dataset.sparkSession().sparkContext();
        ElasticSparkConfig config = config();
        ElasticSpark.check(context, config);
        try (DataDirectory directory = DataDirectory.create(context, getOrDefault(dataDirectory()), uid())) {
            ShardTraining training = write(dataset, directory);
            WorkerSpec worker = WorkerSpec.ofMainClass(
                            ShardTraining.PROGRAM, training.arguments().toArray(String[]::new))
                    .withJavaOpts(getOrDefault(workerJavaOpts()));
            ElasticSpark.run(context, config, worker);
            ElasticXgboostModel model = new ElasticXgboostModel(
                    uid(),
                    directory.read(ShardTraining.MODEL),
                    new TrainingSummary(MetricsText.parse(directory.read(ShardTraining.METRICS))));
            model.setParent(this);
            return copyValues(model, ParamMap.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ElasticSparkException("the training was interrupted", e);
        }
    }

    private ShardTraining write(Dataset<?> dataset, DataDirectory directory) throws InterruptedException {
        Dataset<?> training = dataset;
        @Nullable Dataset<?> evaluation = evalDataset;
        String indicator = getOrDefault(validationIndicatorCol());
        if (!indicator.isEmpty()) {
            Column isEvaluated = coalesce(col(indicator), lit(false));
            training = dataset.filter(not(isEvaluated));
            evaluation = dataset.filter(isEvaluated);
        }
        ShardWriter writer = writer(training);
        Task task = columns().task();
        WrittenRows rows = writer.write(training, directory, ShardTraining.TRAIN);
        rows.check(writer, task, isDefined(numClass()) ? number(numClass()) : 0);
        int classes = classes(rows);
        if (evaluation != null) {
            writer.write(evaluation, directory, ShardTraining.EVALUATION).check(writer, task, classes);
        }
        ShardTraining.Data data = new ShardTraining.Data(
                writer.shards(),
                writer.width(),
                columns().missing(),
                !writer.weight().isEmpty(),
                !writer.margin().isEmpty(),
                !writer.group().isEmpty(),
                evaluation != null);
        int cpus = dataset.sparkSession().sparkContext().getConf().getInt("spark.task.cpus", 1);
        return new ShardTraining(
                directory.uri(),
                data,
                number(numRound()),
                number(numEarlyStoppingRounds()),
                (Double) getOrDefault(checkpointShare()),
                parameters(cpus, task, classes));
    }

    private ShardWriter writer(Dataset<?> rows) {
        FeatureColumns features = columns().features();
        return new ShardWriter(
                features,
                features.count(rows),
                getOrDefault(labelCol()),
                getOrDefault(weightCol()),
                getOrDefault(baseMarginCol()),
                getOrDefault(groupCol()),
                number(maxNodes()) * number(workersPerNode()));
    }

    /** Number of classes, with that of the greatest label if none is given: XGBoost has two or more. */
    private int classes(WrittenRows rows) {
        return isDefined(numClass()) ? number(numClass()) : Math.max(2, (int) rows.greatest() + 1);
    }

    private Map<String, String> parameters(int cpus, Task task, int classes) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("nthread", Integer.toString(Math.max(1, cpus / number(workersPerNode()))));
        if (task == Task.MULTICLASS) {
            parameters.put("num_class", Integer.toString(classes));
        }
        parameters.putAll(nativeParameters());
        parameters.put("objective", getOrDefault(objective()));
        return parameters;
    }

    private ElasticSparkConfig config() {
        return ElasticSparkConfig.nodes(number(minNodes()), number(maxNodes()))
                .withWorkersPerNode(number(workersPerNode()))
                .withRestartPolicy(getOrDefault(restartPolicy()))
                .withOptions("--runtime", RUNTIME)
                .withOptions(getOrDefault(elasticOptions()));
    }

    /**
     * Checks types of columns, and parameters with each other.
     *
     * @throws IllegalArgumentException naming what is wrong, and what is expected
     */
    @Override
    public StructType transformSchema(StructType schema) {
        columns().check(schema);
        FeatureColumns.checkNumber("labelCol", getOrDefault(labelCol()), schema);
        if (!getOrDefault(weightCol()).isEmpty()) {
            FeatureColumns.checkNumber("weightCol", getOrDefault(weightCol()), schema);
        }
        checkGroups(schema);
        checkEvaluation(schema);
        if (number(minNodes()) > number(maxNodes())) {
            throw new IllegalArgumentException(
                    "minNodes: " + number(minNodes()) + " (expected: at most maxNodes = " + number(maxNodes()) + ")");
        }
        nativeParameters();
        return columns().withPredictions(schema);
    }

    private void checkGroups(StructType schema) {
        String group = getOrDefault(groupCol());
        boolean isRanking = columns().task() == Task.RANKING;
        if (isRanking == group.isEmpty()) {
            throw new IllegalArgumentException("groupCol: '" + group + "' (expected: "
                    + (isRanking ? "a column, as the objective is " : "none, as the objective is ")
                    + getOrDefault(objective()) + ")");
        }
        if (isRanking) {
            StructField field = FeatureColumns.field("groupCol", group, schema);
            if (!field.dataType().equals(DataTypes.IntegerType)
                    && !field.dataType().equals(DataTypes.LongType)) {
                throw FeatureColumns.type("groupCol", field, "whole numbers: int or bigint");
            }
        }
    }

    private void checkEvaluation(StructType schema) {
        String indicator = getOrDefault(validationIndicatorCol());
        if (!indicator.isEmpty()) {
            StructField field = FeatureColumns.field("validationIndicatorCol", indicator, schema);
            if (!field.dataType().equals(DataTypes.BooleanType)) {
                throw FeatureColumns.type("validationIndicatorCol", field, "true or false");
            }
            if (evalDataset != null) {
                throw new IllegalArgumentException("validationIndicatorCol: " + indicator
                        + " (expected: none, as there is an evaluation set by setEvalDataset)");
            }
        }
        int patience = number(numEarlyStoppingRounds());
        if (patience > 0 && indicator.isEmpty() && evalDataset == null) {
            throw new IllegalArgumentException("numEarlyStoppingRounds: " + patience
                    + " (expected: 0 without an evaluation set; setEvalDataset or setValidationIndicatorCol)");
        }
    }

    @Override
    public ElasticXgboostEstimator copy(ParamMap extra) {
        ElasticXgboostEstimator copy = copyValues(new ElasticXgboostEstimator(uid()), extra);
        copy.evalDataset = evalDataset;
        return copy;
    }

    @Override
    ElasticXgboostEstimator self() {
        return this;
    }

    private static final class Reading implements DefaultParamsReadable<ElasticXgboostEstimator> {}
}
