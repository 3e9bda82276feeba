/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.xgboost.ElasticXgboostEstimator;
import dev.elasticrun.spark.xgboost.ElasticXgboostModel;
import java.util.Arrays;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A driver that has Spark's own cross-validation choose between two depths of trees: four models, and then the best. */
public final class CrossValidation {
    private static final int FOLDS = 2;

    private CrossValidation() {}

    /** @param arguments a directory for data, a log directory */
    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().appName("cross-validation").getOrCreate();
        try {
            // What counts is whether both numbers are on the same side, which takes two levels.
            Dataset<Row> rows = spark.range(1000)
                    .selectExpr("pmod(xxhash64(id, 1), 1000) / 1000 as a", "pmod(xxhash64(id, 2), 1000) / 1000 as b")
                    .selectExpr("a", "b", "if((a > 0.5) = (b > 0.5), 1, 0) as label");
            ElasticXgboostEstimator boosting = new ElasticXgboostEstimator()
                    .setFeaturesCol(new String[] {"a", "b"})
                    .setObjective("binary:logistic")
                    .setNumRound(150)
                    .setMaxNodes(3)
                    .setElasticOptions("--log-dir", arguments[1])
                    .setDataDirectory(arguments[0]);
            ParamMap[] depths = new ParamGridBuilder()
                    .addGrid(boosting.maxDepth(), new int[] {1, 3})
                    .build();
            CrossValidatorModel best = new CrossValidator()
                    .setEstimator(boosting)
                    .setEvaluator(new BinaryClassificationEvaluator())
                    .setEstimatorParamMaps(depths)
                    .setNumFolds(FOLDS)
                    .setSeed(1)
                    .fit(rows);
            System.out.println("areas under ROC: " + Arrays.toString(best.avgMetrics()));
            System.out.println("best: " + (best.avgMetrics()[1] > best.avgMetrics()[0]));
            System.out.println("boosting rounds: "
                    + ((ElasticXgboostModel) best.bestModel()).summary().metric("train-logloss").length);
        } finally {
            spark.stop();
        }
    }
}
