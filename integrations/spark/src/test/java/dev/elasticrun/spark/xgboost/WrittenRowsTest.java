/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes rows unusable is named before anything is trained. */
final class WrittenRowsTest {
    private static final ShardWriter WRITER =
            new ShardWriter(new FeatureColumns("features", List.of()), 3, "y", "w", "m", "query", 2);

    private static WrittenRows with(String figure, double value) {
        Map<String, Object> figures = new HashMap<>(Map.of(
                WrittenRows.COUNT, 10L,
                WrittenRows.LEAST, 0f,
                WrittenRows.GREATEST, 1f,
                WrittenRows.FRACTIONS, 0L,
                WrittenRows.NO_LABEL, 0L,
                WrittenRows.NO_FEATURES, 0L,
                WrittenRows.NO_WEIGHT, 0L,
                WrittenRows.NO_MARGIN, 0L,
                WrittenRows.NO_GROUP, 0L));
        figures.put(figure, value);
        return WrittenRows.of(figures);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count | 0 | REGRESSION | 0 | the data: 0 rows",
                "without_label | 2 | REGRESSION | 0 | labelCol: column y: 2 rows with null or NaN",
                "without_features | 1 | REGRESSION | 0 | featuresCol: column features: 1 rows with null or another size",
                "without_weight | 3 | REGRESSION | 0 | weightCol: column w: 3 rows with null or a negative number",
                "without_margin | 1 | REGRESSION | 0 | baseMarginCol: column m: 1 rows with null or NaN",
                "without_group | 4 | RANKING | 0 | groupCol: column query: 4 rows with null",
                "greatest | 2 | BINARY | 0 | labelCol: column y: label 2.0 (expected: 0 to 1",
                "least | -1 | BINARY | 0 | labelCol: column y: label -1.0 (expected: 0 to 1",
                "fractions | 5 | MULTICLASS | 0 | labelCol: column y: 5 labels that are no whole numbers",
                "least | -1 | MULTICLASS | 0 | labelCol: column y: labels from -1.0 to 1.0 (expected: classes from 0",
                "greatest | 3 | MULTICLASS | 3 | labelCol: column y: label 3.0 (expected: 0 to 2, as num_class is 3",
                "least | -2 | RANKING | 0 | labelCol: column y: label -2.0 (expected: a relevance of 0 or more"
            })
    void unusable(String figure, double value, Task task, int classes, String message) {
        assertThatThrownBy(() -> with(figure, value).check(WRITER, task, classes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource({
        "greatest, 1, BINARY, 0",
        "greatest, 9, MULTICLASS, 0",
        "greatest, 2, MULTICLASS, 3",
        "least, -9, REGRESSION, 0"
    })
    void usable(String figure, double value, Task task, int classes) {
        assertThatCode(() -> with(figure, value).check(WRITER, task, classes)).doesNotThrowAnyException();
    }

    @Test
    void vectorsOfNoFeatures_areRefused() {
        ShardWriter empty = new ShardWriter(new FeatureColumns("features", List.of()), 0, "y", "", "", "", 2);
        assertThatThrownBy(() -> with(WrittenRows.COUNT, 1).check(empty, Task.REGRESSION, 0))
                .hasMessageStartingWith("featuresCol: column features: vectors of no features");
    }
}
