/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.util.List;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** What estimator and model have in common: the columns of rows to predict, and of predictions. */
final class ColumnParams {
    private final Params owner;

    final Param<String> featuresCol;
    final StringArrayParam featuresCols;
    final Param<String> predictionCol;
    final Param<String> probabilityCol;
    final Param<String> rawPredictionCol;
    final Param<String> leafPredictionCol;
    final Param<String> contribPredictionCol;
    final Param<String> baseMarginCol;
    final Param<String> objective;
    final DoubleParam missing;

    ColumnParams(Params owner) {
        this.owner = owner;
        featuresCol = text("featuresCol", "name of the column of feature vectors", "features");
        featuresCols =
                new StringArrayParam(owner, "featuresCols", "names of columns of numbers, in place of featuresCol");
        owner.setDefault(featuresCols, new String[0]);
        predictionCol = text("predictionCol", "name of the column of predictions", "prediction");
        probabilityCol = text("probabilityCol", "name of the column of the classes' probabilities", "probability");
        rawPredictionCol = text("rawPredictionCol", "name of the column of the classes' margins", "rawPrediction");
        leafPredictionCol = text(
                "leafPredictionCol", "name of the column of the leaf of each tree; empty = there is none of it", "");
        contribPredictionCol = text(
                "contribPredictionCol",
                "name of the column of what each feature, and the bias, add to the margin; empty = there is none of it",
                "");
        baseMarginCol = text(
                "baseMarginCol",
                "name of the column of margins that training and predictions begin with; empty = with base_score",
                "");
        objective = text("objective", "what is learned, as XGBoost names it", "reg:squarederror");
        missing = new DoubleParam(owner, "missing", "the value of a feature that stands for none");
        owner.setDefault(missing, Double.NaN);
    }

    private Param<String> text(String name, String meaning, String value) {
        Param<String> param = new Param<>(owner, name, meaning);
        owner.setDefault(param, value);
        return param;
    }

    FeatureColumns features() {
        return new FeatureColumns(owner.getOrDefault(featuresCol), List.of(owner.getOrDefault(featuresCols)));
    }

    Task task() {
        return Task.of(owner.getOrDefault(objective));
    }

    /** Where rows are in a frame, and what predictions need of them. */
    RowLayout layout(StructType schema) {
        String margin = owner.getOrDefault(baseMarginCol);
        return new RowLayout(
                features(),
                features().indices(schema),
                margin,
                margin.isEmpty() ? -1 : schema.fieldIndex(margin),
                missing());
    }

    Predicted predicted() {
        return new Predicted(
                task(),
                !owner.getOrDefault(leafPredictionCol).isEmpty(),
                !owner.getOrDefault(contribPredictionCol).isEmpty());
    }

    /** @throws IllegalArgumentException naming a column that is missing, or of another type */
    void check(StructType schema) {
        features().check(schema);
        String margin = owner.getOrDefault(baseMarginCol);
        if (!margin.isEmpty()) {
            FeatureColumns.checkNumber("baseMarginCol", margin, schema);
            if (task() == Task.MULTICLASS) {
                throw new IllegalArgumentException("baseMarginCol: " + margin + " (expected: none, as the objective is "
                        + owner.getOrDefault(objective) + ", which has a margin for each class)");
            }
        }
    }

    float missing() {
        return ((Double) owner.getOrDefault(missing)).floatValue();
    }

    /**
     * Columns of predictions after those that there are.
     *
     * @throws IllegalArgumentException naming a column that there is already
     */
    StructType withPredictions(StructType schema) {
        StructType wider = schema;
        if (task().isClassification()) {
            wider = with(wider, rawPredictionCol, SQLDataTypes.VectorType());
            wider = with(wider, probabilityCol, SQLDataTypes.VectorType());
        }
        wider = with(wider, predictionCol, DataTypes.DoubleType);
        DataType numbers = DataTypes.createArrayType(DataTypes.FloatType, false);
        for (Param<String> optional : List.of(leafPredictionCol, contribPredictionCol)) {
            wider = owner.getOrDefault(optional).isEmpty() ? wider : with(wider, optional, numbers);
        }
        return wider;
    }

    private StructType with(StructType schema, Param<String> param, DataType type) {
        String name = owner.getOrDefault(param);
        if (List.of(schema.fieldNames()).contains(name)) {
            throw new IllegalArgumentException(
                    param.name() + ": there is a column " + name + " (expected: another name)");
        }
        return schema.add(name, type, false);
    }
}
