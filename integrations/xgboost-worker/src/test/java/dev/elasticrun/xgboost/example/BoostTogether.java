/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost.example;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.xgboost.Rows;
import dev.elasticrun.xgboost.XgboostTraining;
import java.nio.file.Path;
import java.util.Map;

/** What {@link BoostAlone} becomes. */
public final class BoostTogether {
    private BoostTogether() {}

    public static void main(String[] arguments) {
        ElasticRuntime.main(() -> training(arguments).build().run());
    }

    public static XgboostTraining.Builder training(String[] arguments) {
        Map<String, Object> parameters = Map.of("objective", "binary:logistic", "max_depth", 3, "nthread", 1);
        return XgboostTraining.builder(parameters, 20)
                .train((shard, shards) -> {
                    Table table = Table.read(Path.of(arguments[0]), shard, shards);
                    return Rows.dense(table.values(), table.columns(), Float.NaN, table.labels());
                })
                .modelFile(Path.of(arguments[1]));
    }
}
