/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metrics keep their order and all their digits. */
final class MetricsTextTest {
    @Test
    void metrics_parsed_areTheSame() {
        Map<String, double[]> metrics = new LinkedHashMap<>();
        metrics.put("train-logloss", new double[] {0.1, Double.NaN, 1e-300});
        metrics.put("eval-auc", new double[0]);

        Map<String, double[]> parsed = MetricsText.parse(MetricsText.write(metrics));

        assertThat(parsed.keySet()).containsExactly("train-logloss", "eval-auc");
        assertThat(parsed.get("train-logloss")).containsExactly(0.1, Double.NaN, 1e-300);
        assertThat(parsed.get("eval-auc")).isEmpty();
    }
}
