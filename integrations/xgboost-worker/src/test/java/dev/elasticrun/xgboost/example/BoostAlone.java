/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost.example;

import java.nio.file.Path;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;

/** A program that trains with XGBoost4J in one process. */
public final class BoostAlone {
    private BoostAlone() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> parameters = Map.of("objective", "binary:logistic", "max_depth", 3, "nthread", 1);
        Table table = Table.read(Path.of(arguments[0]), 0, 1);
        DMatrix train = new DMatrix(table.values(), table.labels().length, table.columns(), Float.NaN);
        train.setLabel(table.labels());
        Booster booster = XGBoost.train(train, parameters, 20, Map.of("train", train), null, null);
        booster.saveModel(arguments[1]);
    }
}
