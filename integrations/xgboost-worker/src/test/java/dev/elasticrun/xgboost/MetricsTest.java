/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
final class MetricsTest {

    @Test
    void parse_line_hasAllDigitsInItsOrder() {
        assertThat(Metrics.parse("[12]\ttrain-logloss:0.4321234567890123\teval-error@0.7:1e-05\teval-auc:nan"))
                .containsExactly(
                        Map.entry("train-logloss", 0.4321234567890123),
                        Map.entry("eval-error@0.7", 0.00001),
                        Map.entry("eval-auc", Double.NaN));
        assertThat(Metrics.parse("[0]\ttrain-rmse:inf\teval-rmse:-inf"))
                .containsValues(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[3]", "[3]\ttrain", "[3]\t:1", "[3]\ttrain-logloss:x"})
    void parse_somethingElse_isNamed(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Metrics.parse(line))
                .withMessageStartingWith("evaluation: '" + line + "'");
    }
}
