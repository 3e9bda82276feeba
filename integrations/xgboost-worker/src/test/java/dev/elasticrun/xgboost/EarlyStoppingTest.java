/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
final class EarlyStoppingTest {

    @ParameterizedTest
    @CsvSource({
        "eval-logloss, false",
        "eval-auc, true",
        "eval-aucpr, true",
        "eval-ndcg@10-, true",
        "eval-error@0.7, false",
        "eval-map, true",
        "eval-mape, false",
        "eval-pre@3, true"
    })
    void isGain_metric_isAsInXgboost(String metric, boolean isGain) {
        assertThat(EarlyStopping.isGain(metric)).isEqualTo(isGain);
    }

    @Test
    void best_history_isTheFirstOfTheBest() {
        double[] history = {0.5, 0.3, 0.4, 0.3, 0.6};

        assertThat(EarlyStopping.best("eval-logloss", history)).isOne();
        assertThat(EarlyStopping.best("eval-auc", history)).isEqualTo(4);
        assertThat(EarlyStopping.best("eval-auc", new double[] {Double.NaN, 0.2, Double.NaN}))
                .isOne();
    }

    @Test
    void isOver_patience_countsRoundsSinceTheBest() {
        double[] history = {0.5, 0.3, 0.4, 0.35};

        assertThat(EarlyStopping.isOver("eval-logloss", history, 3)).isFalse();
        assertThat(EarlyStopping.isOver("eval-logloss", history, 2)).isTrue();
        assertThat(EarlyStopping.isOver("eval-logloss", history, 0)).isFalse();
        assertThat(EarlyStopping.isOver("eval-logloss", new double[0], 1)).isFalse();
    }
}
