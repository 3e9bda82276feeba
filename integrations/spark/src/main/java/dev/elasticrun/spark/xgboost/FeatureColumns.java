/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.functions;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Where features are: in a column of vectors, or in columns of numbers. A number that is null is missing.
 *
 * @param vector name of the column of vectors, if there are no {@code numbers}
 * @param numbers names of columns, one for each feature
 */
record FeatureColumns(String vector, List<String> numbers) implements Serializable {
    FeatureColumns {
        numbers = new ArrayList<>(numbers);
    }

    /** @throws IllegalArgumentException naming a column that is missing, or of another type */
    void check(StructType schema) {
        if (numbers.isEmpty()) {
            StructField field = field("featuresCol", vector, schema);
            if (!field.dataType().equals(SQLDataTypes.VectorType())) {
                throw type("featuresCol", field, "vectors; setFeaturesCol takes an array of names as well");
            }
        }
        numbers.forEach(name -> checkNumber("featuresCols", name, schema));
    }

    /** @throws IllegalArgumentException naming the parameter and the column, if it is missing or has no numbers */
    static void checkNumber(String parameter, String name, StructType schema) {
        StructField field = field(parameter, name, schema);
        if (!(field.dataType() instanceof NumericType) && !(field.dataType() instanceof BooleanType)) {
            throw type(parameter, field, "numbers");
        }
    }

    static StructField field(String parameter, String name, StructType schema) {
        if (!Arrays.asList(schema.fieldNames()).contains(name)) {
            throw new IllegalArgumentException(
                    parameter + ": " + name + " (expected: one of " + Arrays.toString(schema.fieldNames()) + ")");
        }
        return schema.apply(name);
    }

    static IllegalArgumentException type(String parameter, StructField field, String expected) {
        return new IllegalArgumentException(parameter + ": column " + field.name() + " has values of type "
                + field.dataType().simpleString() + " (expected: " + expected + ")");
    }

    /** Number of features. May look at a row; 0 if there is none. */
    int count(Dataset<?> rows) {
        if (!numbers.isEmpty()) {
            return numbers.size();
        }
        int known = AttributeGroup.fromStructField(rows.schema().apply(vector)).size();
        if (known >= 0) {
            return known;
        }
        return rows.select(col(vector)).filter(col(vector).isNotNull()).takeAsList(1).stream()
                .mapToInt(row -> row.<Vector>getAs(0).size())
                .findFirst()
                .orElse(0);
    }

    /** An array of floats for each row. */
    Column array() {
        if (numbers.isEmpty()) {
            return functions.vector_to_array(col(vector), "float32");
        }
        return org.apache.spark.sql.functions.array(numbers.stream()
                .map(name -> coalesce(col(name).cast("float"), lit(Float.NaN)))
                .toArray(Column[]::new));
    }

    /** Places of the columns in a row. */
    int[] indices(StructType schema) {
        return numbers.isEmpty()
                ? new int[] {schema.fieldIndex(vector)}
                : numbers.stream().mapToInt(schema::fieldIndex).toArray();
    }

    /**
     * The features of one row.
     *
     * @param indices as {@link #indices} gave them
     */
    float[] of(Row row, int[] indices) {
        if (numbers.isEmpty()) {
            Vector values = row.getAs(indices[0]);
            if (values == null) {
                throw new IllegalArgumentException(
                        "featuresCol: " + vector + ": null (expected: a vector in each row)");
            }
            return floats(values);
        }
        float[] features = new float[indices.length];
        for (int i = 0; i < indices.length; i++) {
            features[i] = number(row.get(indices[i]));
        }
        return features;
    }

    private static float[] floats(Vector values) {
        double[] all = values.toArray();
        float[] features = new float[all.length];
        for (int i = 0; i < all.length; i++) {
            features[i] = (float) all[i];
        }
        return features;
    }

    /** Of a column of numbers; none is NaN. */
    static float number(@Nullable Object value) {
        if (value == null) {
            return Float.NaN;
        }
        if (value instanceof Boolean yes) {
            return yes ? 1 : 0;
        }
        return ((Number) value).floatValue();
    }
}
