/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.xgboost.ElasticXgboostEstimator;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A driver that fits one model of rows that a hash gives, by this module's estimator or by XGBoost4J-Spark's. */
public final class TimedFit {
    static final String BEGUN = "the fit begins";
    static final String RESULT = "the fit took ";
    static final String BARRIER = "barrier";

    private static final int FEATURES = 30;

    private TimedFit() {}

    /** @param arguments a directory, number of rows, boosting rounds, {@link #BARRIER} or a restart policy, a log directory */
    public static void main(String[] arguments) throws Exception {
        SparkSession spark = SparkSession.builder().appName("timed-fit").getOrCreate();
        AtomicLong recordsRead = new AtomicLong();
        spark.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.taskMetrics() != null) {
                    recordsRead.addAndGet(end.taskMetrics().inputMetrics().recordsRead());
                }
            }
        });
        try {
            String rowFiles = arguments[0] + "/rows";
            rows(spark, Integer.parseInt(arguments[1])).write().mode("ignore").parquet(rowFiles);
            Dataset<Row> rows = spark.read().parquet(rowFiles);
            PipelineStage estimator = arguments[3].equals(BARRIER) ? barrier() : elastic(arguments);
            estimator.set("objective", "binary:logistic");
            estimator.set("numRound", Integer.parseInt(arguments[2]));
            estimator.set("max_depth", 6);
            estimator.set("nthread", 1);
            long before = recordsRead.get();
            System.out.println(BEGUN);
            long start = System.nanoTime();
            PipelineModel model = new Pipeline()
                    .setStages(new PipelineStage[] {assembler(), estimator})
                    .fit(rows);
            double seconds = (System.nanoTime() - start) / 1e9;
            long read = recordsRead.get() - before;
            double area = new BinaryClassificationEvaluator().evaluate(model.transform(rows));
            System.out.println(RESULT + seconds + " s, rows " + read + ", area " + area);
        } finally {
            spark.stop();
        }
    }

    private static VectorAssembler assembler() {
        return new VectorAssembler().setInputCols(names()).setOutputCol("features");
    }

    private static String[] names() {
        return IntStream.range(0, FEATURES).mapToObj(i -> "f" + i).toArray(String[]::new);
    }

    private static Dataset<Row> rows(SparkSession spark, int count) {
        String[] features = IntStream.range(0, FEATURES)
                .mapToObj(i -> "pmod(xxhash64(id, " + i + "), 10000) / 10000 as f" + i)
                .toArray(String[]::new);
        return spark.range(count)
                .selectExpr(features)
                .selectExpr(concat(names(), "if(f0 + f1 * f2 + sin(6 * f3) > 1, 1, 0) as label"));
    }

    private static String[] concat(String[] names, String last) {
        String[] all = Arrays.copyOf(names, names.length + 1);
        all[names.length] = last;
        return all;
    }

    // Not on the class path of the tests: it has other classes of the same names.
    private static PipelineStage barrier() throws ReflectiveOperationException {
        PipelineStage estimator = Class.forName(
                        "ml.dmlc.xgboost4j.scala.spark.XGBoostClassifier",
                        true,
                        Thread.currentThread().getContextClassLoader())
                .asSubclass(PipelineStage.class)
                .getConstructor()
                .newInstance();
        estimator.set("numWorkers", 3);
        return estimator;
    }

    private static PipelineStage elastic(String[] arguments) {
        return new ElasticXgboostEstimator()
                .setMinNodes(1)
                .setMaxNodes(3)
                .setRestartPolicy(arguments[3])
                .setElasticOptions("--log-dir", arguments[4])
                .setDataDirectory(arguments[0] + "/data");
    }
}
