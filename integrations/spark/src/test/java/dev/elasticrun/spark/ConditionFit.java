/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.apache.spark.ml.functions.vector_to_array;
import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.element_at;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.log;
import static org.apache.spark.sql.functions.negate;
import static org.apache.spark.sql.functions.when;

import dev.elasticrun.spark.xgboost.ElasticXgboostEstimator;
import dev.elasticrun.spark.xgboost.ElasticXgboostModel;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A driver that fits one classifier of rows that a hash gives, a fifth of which it is judged by, and prints how good it is. */
public final class ConditionFit {
    static final String RESULT = "the fit took ";

    private static final int FEATURES = 30;

    private ConditionFit() {}

    /** @param arguments a directory, number of rows, boosting rounds, eta, a restart policy, minimum and maximum of nodes, a log directory */
    public static void main(String[] arguments) throws Exception {
        SparkSession spark = SparkSession.builder().appName("condition").getOrCreate();
        try {
            String rowFiles = arguments[0] + "/rows";
            rows(spark, Integer.parseInt(arguments[1])).write().mode("ignore").parquet(rowFiles);
            Dataset<Row> rows = spark.read().parquet(rowFiles);
            ElasticXgboostEstimator estimator = new ElasticXgboostEstimator()
                    .setFeaturesCol(names())
                    .setValidationIndicatorCol("judged")
                    .setObjective("binary:logistic")
                    .setNumRound(Integer.parseInt(arguments[2]))
                    .setEta(Double.parseDouble(arguments[3]))
                    .setMaxDepth(6)
                    .setNthread(1)
                    .setRestartPolicy(arguments[4])
                    .setMinNodes(Integer.parseInt(arguments[5]))
                    .setMaxNodes(Integer.parseInt(arguments[6]))
                    .setElasticOptions("--log-dir", arguments[7])
                    .setDataDirectory(arguments[0] + "/data");
            long start = System.nanoTime();
            ElasticXgboostModel model = estimator.fit(rows);
            double seconds = (System.nanoTime() - start) / 1e9;
            Dataset<Row> trained = rows.filter("not judged");
            double wrong =
                    model.transform(trained).filter("prediction != label").count();
            System.out.println(RESULT + seconds + " s, loss " + loss(model.transform(rows.filter("judged")))
                    + ", error " + wrong / trained.count());
        } finally {
            spark.stop();
        }
    }

    // Of all rows that are judged: workers know it of those that were read.
    private static double loss(Dataset<Row> predicted) {
        Column probability = element_at(vector_to_array(col("probability"), "float64"), 2);
        Column ofLabel = when(col("label").equalTo(1), probability).otherwise(lit(1).minus(probability));
        return predicted.select(avg(negate(log(ofLabel)))).first().getDouble(0);
    }

    private static String[] names() {
        return IntStream.range(0, FEATURES).mapToObj(i -> "f" + i).toArray(String[]::new);
    }

    // One label of eight is wrong.
    private static Dataset<Row> rows(SparkSession spark, int count) {
        Stream<String> features =
                IntStream.range(0, FEATURES).mapToObj(i -> "pmod(xxhash64(id, " + i + "), 10000) / 10000 as f" + i);
        Stream<String> others =
                Stream.of("pmod(xxhash64(id, 1000), 8) = 0 as is_wrong", "pmod(xxhash64(id, 1001), 5) = 0 as judged");
        return spark.range(count)
                .selectExpr(Stream.concat(features, others).toArray(String[]::new))
                .selectExpr(Stream.concat(
                                Stream.of(names()),
                                Stream.of("judged", "if((f0 + f1 * f2 + sin(6 * f3) > 1) != is_wrong, 1, 0) as label"))
                        .toArray(String[]::new));
    }
}
