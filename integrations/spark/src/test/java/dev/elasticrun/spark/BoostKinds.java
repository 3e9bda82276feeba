/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.apache.spark.sql.functions.col;

import dev.elasticrun.spark.xgboost.ElasticXgboostEstimator;
import dev.elasticrun.spark.xgboost.ElasticXgboostModel;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A driver that fits a model of each kind, of rows that a seed gives, and prints how good each is. */
public final class BoostKinds {
    private static final int ROWS = 600;
    private static final String[] FEATURES = {"a", "b", "c"};

    private final SparkSession spark;
    private final String directory;

    private BoostKinds(SparkSession spark, String directory) {
        this.spark = spark;
        this.directory = directory;
    }

    /** @param arguments a directory for data */
    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().appName("boost-kinds").getOrCreate();
        try {
            BoostKinds kinds = new BoostKinds(spark, arguments[0]);
            kinds.regression();
            kinds.classes();
            kinds.ranking();
            kinds.moreWorkersThanRows();
            kinds.unusable();
        } finally {
            spark.stop();
        }
    }

    private static void print(String name, Object value) {
        System.out.println(name + ": " + value);
    }

    /** Rows of three numbers, whose label is an expression of them. Of every other row it is wrong, and weighs nothing. */
    private Dataset<Row> rows(String label, int count) {
        return spark.range(count)
                .selectExpr(
                        "id",
                        "pmod(xxhash64(id, 1), 1000) / 1000 as a",
                        "pmod(xxhash64(id, 2), 1000) / 1000 as b",
                        "if(id % 5 = 0, null, pmod(xxhash64(id, 3), 1000) / 1000) as c")
                .selectExpr(
                        "a",
                        "b",
                        "c",
                        "if(id % 2 = 0, " + label + ", 1 - " + label + ") as label",
                        "if(id % 2 = 0, 1e0, 0e0) as weight",
                        "cast(id div 10 as int) as query",
                        "id % 3 = 0 as held");
    }

    /**
     * Half of the rows have a wrong label, and weigh nothing. A part of the label is in the margin, which predictions begin with:
     * one that is greater by one is one more. The training ends when it gets no better.
     */
    private void regression() {
        Dataset<Row> rows = rows("(a + b)", ROWS).withColumn("margin", col("a"));
        ElasticXgboostModel model = estimator("reg:squarederror")
                .setWeightCol("weight")
                .setBaseMarginCol("margin")
                .setLeafPredictionCol("leaves")
                .setContribPredictionCol("contributions")
                .setValidationIndicatorCol("held")
                .setNumEarlyStoppingRounds(5)
                .setNumRound(400)
                .fit(rows);
        int trees = model.summary().metric("eval-rmse").length;
        print("regression ended early", trees < 400);
        Dataset<Row> right = rows.filter("weight > 0");
        Dataset<Row> predicted = model.transform(right);
        print(
                "regression error",
                new RegressionEvaluator().setMetricName("rmse").evaluate(predicted));
        print(
                "a leaf for each tree",
                predicted.filter("size(leaves) <> " + trees).isEmpty());
        print(
                "contributions are the prediction",
                predicted
                        .filter("abs(aggregate(contributions, 0d, (sum, one) -> sum + one) - prediction) > 1e-4")
                        .isEmpty());
        Dataset<Row> more = model.transform(right.withColumn("margin", col("a").plus(1)));
        print("one more by the margin", average(more) - average(predicted));
    }

    private static double average(Dataset<Row> predicted) {
        return predicted.selectExpr("avg(prediction)").as(Encoders.DOUBLE()).first();
    }

    private void classes() {
        Dataset<Row> rows = rows("floor(3 * a)", ROWS).filter("weight > 0");
        Dataset<Row> predicted =
                estimator("multi:softprob").setNumRound(20).fit(rows).transform(rows);
        print("classes", predicted.first().<Vector>getAs("probability").size());
        print(
                "classes accuracy",
                new MulticlassClassificationEvaluator()
                        .setMetricName("accuracy")
                        .evaluate(predicted));
    }

    private void ranking() {
        Dataset<Row> rows = rows("floor(4 * b)", ROWS).filter("weight > 0");
        double[] scores = estimator("rank:ndcg")
                .setGroupCol("query")
                .setWeightCol("weight")
                .setEvalMetric("ndcg")
                .setNumRound(20)
                .fit(rows)
                .summary()
                .metric("train-ndcg");
        print("ranking score", scores[scores.length - 1]);
    }

    private void moreWorkersThanRows() {
        Dataset<Row> rows = rows("a", 1);
        Row predicted = estimator("reg:squarederror")
                .setNumRound(2)
                .setMinNodes(3)
                .setMaxNodes(3)
                .fit(rows)
                .transform(rows)
                .first();
        print("one row", predicted.<Double>getAs("prediction") > 0);
    }

    private void unusable() {
        Dataset<Row> rows = rows("a", 20);
        ElasticXgboostEstimator binary = estimator("binary:logistic");
        refused(binary, rows.selectExpr("a", "b", "'x' as c", "label"));
        refused(binary, rows.selectExpr("a", "b", "c", "7 as label"));
        refused(binary, rows.selectExpr("a", "b", "c", "cast(null as double) as label"));
        refused(binary, rows.filter("a > 2"));
        refused(estimator("multi:softprob").setNumClass(3), rows.selectExpr("a", "b", "c", "3 as label"));
        refused(
                estimator("multi:softprob").setEvalDataset(rows.selectExpr("a", "b", "c", "5 as label")),
                rows.selectExpr("a", "b", "c", "1 as label"));
        refused(estimator("reg:squarederror").setBaseMarginCol("d"), rows);
        refused(estimator("reg:squarederror").setBaseMarginCol("c"), rows);
        refused(estimator("multi:softprob").setBaseMarginCol("c"), rows);
        refused(estimator("rank:ndcg"), rows);
        refused(estimator("reg:squarederror").setMinNodes(4).setMaxNodes(4), rows);
        refused(estimator("reg:squarederror").setMinNodes(4).setMaxNodes(3), rows);
        refused(estimator("reg:squarederror").setDataDirectory("/proc/elastic-run"), rows);
        refused(estimator("reg:squarederror").setDataDirectory(""), rows);
        refused(estimator("reg:squarederror").setDataDirectory("nowhere://host/data"), rows);
    }

    private static void refused(ElasticXgboostEstimator estimator, Dataset<Row> rows) {
        try {
            estimator.fit(rows);
            print("refused", "nothing");
        } catch (IllegalArgumentException | ElasticSparkException e) {
            print("refused", e.toString());
        }
    }

    private ElasticXgboostEstimator estimator(String objective) {
        return new ElasticXgboostEstimator()
                .setObjective(objective)
                .setFeaturesCol(FEATURES)
                .setMinNodes(1)
                .setMaxNodes(2)
                .setWorkerJavaOpts("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .setDataDirectory(directory);
    }
}
