/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the driver states as arguments is what workers train. */
final class ShardTrainingTest {
    private static final ShardTraining TRAINING = new ShardTraining(
            "hdfs://host/a=b",
            new ShardTraining.Data(4, 30, Float.NaN, true, true, false, true),
            100,
            5,
            0.05,
            Map.of("eta", "0.3", "objective", "binary:logistic"));

    @Test
    void arguments_parsed_areTheSame() {
        assertThat(ShardTraining.parse(TRAINING.arguments())).isEqualTo(TRAINING);
        assertThat(TRAINING.arguments()).contains("directory=hdfs://host/a=b", "xgboost.eta=0.3");
    }

    @Test
    void argumentIsMissing_orNone_isNamed() {
        List<String> withoutRounds = TRAINING.arguments().stream()
                .filter(argument -> !argument.startsWith("rounds="))
                .toList();
        assertThatThrownBy(() -> ShardTraining.parse(withoutRounds))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rounds: not given");
        assertThatThrownBy(() -> ShardTraining.parse(List.of("rounds")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'rounds' (expected: NAME=VALUE)");
    }
}
