/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objectives decide which columns a model adds. */
final class TaskTest {
    @ParameterizedTest
    @CsvSource({
        "binary:logistic, BINARY",
        "multi:softprob, MULTICLASS",
        "reg:squarederror, REGRESSION",
        "count:poisson, REGRESSION",
        "survival:cox, REGRESSION",
        "rank:ndcg, RANKING"
    })
    void objective_ofAFamily(String objective, Task task) {
        assertThat(Task.of(objective)).isEqualTo(task);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "logistic", "multi:softmax", "binary:hinge", "other:x", ":"})
    void objectiveWithoutColumns_isRefused(String objective) {
        assertThatThrownBy(() -> Task.of(objective))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("objective: '" + objective + "' (expected: ");
    }
}
