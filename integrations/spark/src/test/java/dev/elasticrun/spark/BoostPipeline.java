/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.xgboost.ElasticXgboostEstimator;
import dev.elasticrun.spark.xgboost.ElasticXgboostModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A driver that fits a pipeline twice, prints whether both models are the same, and predicts with what it has saved and
 * loaded again.
 */
public final class BoostPipeline {
    private static final int FEATURES = 30;

    private BoostPipeline() {}

    /** @param arguments a CSV file, a directory for everything, boosting rounds, and the log directory of the second fit */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        SparkSession spark = SparkSession.builder().appName("boost-pipeline").getOrCreate();
        try {
            Dataset<Row> rows = read(spark, arguments[0]);
            PipelineModel calm = pipeline(directory, arguments[2]).fit(rows);
            calm.save(directory.resolve("calm").toString());
            System.out.println("calm model is saved");
            PipelineModel stormy =
                    pipeline(directory, arguments[2], "--log-dir", arguments[3]).fit(rows);
            stormy.save(directory.resolve("stormy").toString());
            System.out.println(
                    "same model: " + (Files.mismatch(file(directory, "calm"), file(directory, "stormy")) < 0));
            predict(directory, rows);
        } finally {
            spark.stop();
        }
    }

    private static Dataset<Row> read(SparkSession spark, String file) {
        StructType schema = new StructType();
        for (int i = 0; i < FEATURES; i++) {
            schema = schema.add("f" + i, DataTypes.DoubleType);
        }
        // The first line has numbers of rows and columns.
        return spark.read()
                .schema(schema.add("label", DataTypes.IntegerType))
                .csv(file)
                .filter("label is not null");
    }

    private static Pipeline pipeline(Path directory, String rounds, String... options) {
        VectorAssembler assembler = new VectorAssembler()
                .setInputCols(
                        IntStream.range(0, FEATURES).mapToObj(i -> "f" + i).toArray(String[]::new))
                .setOutputCol("features");
        ElasticXgboostEstimator boosting = new ElasticXgboostEstimator()
                .setObjective("binary:logistic")
                .setNumRound(Integer.parseInt(rounds))
                .setMaxDepth(3)
                .setEta(0.05)
                .setMinNodes(3)
                .setMaxNodes(3)
                .setRestartPolicy("soft-replace")
                .setElasticOptions(options)
                .setDataDirectory(directory.resolve("data").toString());
        return new Pipeline().setStages(new PipelineStage[] {assembler, boosting});
    }

    private static void predict(Path directory, Dataset<Row> rows) throws XGBoostError, IOException {
        PipelineModel loaded = PipelineModel.load(directory.resolve("stormy").toString());
        ElasticXgboostModel model = (ElasticXgboostModel) loaded.stages()[1];
        System.out.println("rounds: " + model.summary().metric("train-logloss").length);
        Dataset<Row> predicted = loaded.transform(rows);
        System.out.println("area under ROC: " + new BinaryClassificationEvaluator().evaluate(predicted));
        System.out.println(
                "as XGBoost itself: " + isAsXgboostItself(file(directory, "stormy"), predicted.collectAsList()));
    }

    private static boolean isAsXgboostItself(Path file, List<Row> rows) throws XGBoostError, IOException {
        Booster booster = XGBoost.loadModel(file.toString());
        float[] values = new float[rows.size() * FEATURES];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) rows.get(i / FEATURES).getDouble(i % FEATURES);
        }
        float[][] expected = booster.predict(new DMatrix(values, rows.size(), FEATURES, Float.NaN));
        return IntStream.range(0, rows.size())
                .allMatch(row -> expected[row][0]
                        == (float) rows.get(row).<Vector>getAs("probability").apply(1));
    }

    private static Path file(Path directory, String name) throws IOException {
        try (var stages = Files.newDirectoryStream(directory.resolve(name).resolve("stages"), "1_*")) {
            return stages.iterator().next().resolve(ElasticXgboostModel.FILE);
        }
    }
}
