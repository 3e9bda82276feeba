/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Training with XGBoost4J that continues while workers die, come and go.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.xgboost.Rows;
 * import dev.elasticrun.xgboost.TrainedModel;
 * import dev.elasticrun.xgboost.XgboostTraining;
 * import java.util.Map;
 *
 * public final class TrainSquares {
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(TrainSquares::run);
 *     }
 *
 *     private static void run() throws Exception {
 *         Map<String, Object> parameters = Map.of("objective", "reg:squarederror", "max_depth", 3);
 *         TrainedModel model = XgboostTraining.builder(parameters, 20)
 *                 .train(TrainSquares::part)
 *                 .build()
 *                 .run();
 *         System.out.println("model " + model.sha256());
 *     }
 *
 *     // The rows of one shard of several: here each knows its square.
 *     private static Rows part(int shard, int shards) {
 *         int count = 1000 / shards;
 *         float[] values = new float[count];
 *         float[] labels = new float[count];
 *         for (int row = 0; row < count; row++) {
 *             values[row] = shard + row * shards;
 *             labels[row] = values[row] * values[row];
 *         }
 *         return Rows.dense(values, 1, Float.NaN, labels);
 *     }
 * }
 * }</pre>
 *
 * <p>The run is started with {@code --runtime xgboost}, whose agents serve the tracker of XGBoost.
 * {@link dev.elasticrun.xgboost.XgboostTraining} has evaluation sets, early stopping and shards.
 */
@NullMarked
package dev.elasticrun.xgboost;

import org.jspecify.annotations.NullMarked;
