/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DistributionTest {
    @Test
    void medianNearestRankAndWorst() {
        Distribution twenty = Distribution.of(
                IntStream.rangeClosed(1, 20).mapToDouble(time -> 21 - time).toArray());

        assertThat(twenty.median()).isEqualTo(10.5);
        assertThat(twenty.quantile(0.9)).isEqualTo(18);
        assertThat(twenty.worst()).isEqualTo(20);
        assertThat(Distribution.of(3, 1, 2).median()).isEqualTo(2);
    }

    @Test
    void rowsReportWhenTimesAreMissing() {
        assertThat(Distribution.of(1, 2, 3).row("all", 3)).isEqualTo("| all | 2.0 | 3.0 | 3.0 | 3.0 |");
        assertThat(Distribution.of(1, Double.NaN).row("some", 2))
                .isEqualTo("| some (1 of 2) | 1.0 | 1.0 | 1.0 | 1.0 |");
        assertThat(Distribution.of().row("none", 2)).isEqualTo("| none (0 of 2) | - | - | - | - |");
    }
}
