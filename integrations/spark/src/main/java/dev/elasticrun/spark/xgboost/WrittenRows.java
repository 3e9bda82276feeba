/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of rows while they were written.
 *
 * @param count number of rows
 * @param least label
 * @param greatest label
 * @param fractions rows whose label is no whole number
 * @param withoutLabel rows that have none
 * @param withoutFeatures rows whose features are null, or more or less than those of others
 * @param withoutWeight rows whose weight is null or negative
 * @param withoutMargin rows whose base margin is null or NaN
 * @param withoutGroup rows whose group is null
 */
record WrittenRows(
        long count,
        float least,
        float greatest,
        long fractions,
        long withoutLabel,
        long withoutFeatures,
        long withoutWeight,
        long withoutMargin,
        long withoutGroup) {
    static final String COUNT = "count";
    static final String LEAST = "least";
    static final String GREATEST = "greatest";
    static final String FRACTIONS = "fractions";
    static final String NO_LABEL = "without_label";
    static final String NO_FEATURES = "without_features";
    static final String NO_WEIGHT = "without_weight";
    static final String NO_MARGIN = "without_margin";
    static final String NO_GROUP = "without_group";

    static final WrittenRows NONE = new WrittenRows(0, 0, 0, 0, 0, 0, 0, 0, 0);

    static WrittenRows of(Map<String, ?> figures) {
        return new WrittenRows(
                number(figures.get(COUNT)).longValue(),
                number(figures.get(LEAST)).floatValue(),
                number(figures.get(GREATEST)).floatValue(),
                number(figures.get(FRACTIONS)).longValue(),
                number(figures.get(NO_LABEL)).longValue(),
                number(figures.get(NO_FEATURES)).longValue(),
                number(figures.get(NO_WEIGHT)).longValue(),
                number(figures.get(NO_MARGIN)).longValue(),
                number(figures.get(NO_GROUP)).longValue());
    }

    // Of rows that are all null there is neither a least nor a greatest label.
    private static Number number(@Nullable Object figure) {
        return figure instanceof Number known ? known : Double.NaN;
    }

    /**
     * Checks that a training on them can succeed.
     *
     * @param columns names of the columns, for messages
     * @param classes number of classes; 0 = as many as there are
     * @throws IllegalArgumentException naming the column, the value and what is expected
     */
    void check(ShardWriter columns, Task task, int classes) {
        require(count == 0, "the data", "0 rows", "one or more to train on");
        require(
                withoutLabel > 0,
                column("labelCol", columns.label()),
                withoutLabel + " rows with null or NaN",
                "a number in each row");
        require(
                columns.width() == 0,
                column("featuresCol", columns.features().vector()),
                "vectors of no features",
                "one or more features");
        require(
                withoutFeatures > 0,
                column("featuresCol", columns.features().vector()),
                withoutFeatures + " rows with null or another size",
                columns.width() + " features in each row");
        require(
                withoutWeight > 0,
                column("weightCol", columns.weight()),
                withoutWeight + " rows with null or a negative number",
                "0 or more in each row");
        require(
                withoutMargin > 0,
                column("baseMarginCol", columns.margin()),
                withoutMargin + " rows with null or NaN",
                "a number in each row");
        require(
                withoutGroup > 0,
                column("groupCol", columns.group()),
                withoutGroup + " rows with null",
                "a whole number in each row");
        checkLabels(column("labelCol", columns.label()), task, classes);
    }

    private void checkLabels(String column, Task task, int classes) {
        float wrong = least < 0 ? least : greatest;
        String range = "labels from " + least + " to " + greatest;
        if (task == Task.BINARY) {
            require(least < 0 || greatest > 1, column, "label " + wrong, "0 to 1 for binary:logistic");
        }
        if (task == Task.MULTICLASS) {
            require(fractions > 0, column, fractions + " labels that are no whole numbers", "classes from 0");
            require(least < 0, column, range, "classes from 0");
            require(
                    classes > 0 && greatest >= classes,
                    column,
                    "label " + greatest,
                    "0 to " + (classes - 1) + ", as num_class is " + classes);
        }
        if (task == Task.RANKING) {
            require(least < 0, column, "label " + least, "a relevance of 0 or more");
        }
    }

    private static String column(String parameter, String name) {
        return parameter + ": column " + name;
    }

    private static void require(boolean isWrong, String what, String found, String expected) {
        if (isWrong) {
            throw new IllegalArgumentException(what + ": " + found + " (expected: " + expected + ")");
        }
    }
}
